// A function per operation, over `fetch`, and a type per component.
export default {
  ludotheque: {
    input: { target: `${process.env.LUDOTHEQUE_URL}/openapi.json` },
    output: {
      mode: 'split',
      target: 'generated/api.ts',
      schemas: 'generated/model',
      client: 'fetch',
      baseUrl: process.env.LUDOTHEQUE_URL,
      override: { fetch: { includeHttpResponseReturnType: false } },
    },
  },
};
