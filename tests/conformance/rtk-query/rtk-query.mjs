// The generator of RTK Query, on the document that the running server serves: what it makes compiles under `tsc --strict`.

import { generateEndpoints } from '@rtk-query/codegen-openapi';
import { check, done, run } from './check.mjs';

const options = {
  schemaFile: `${process.env.LUDOTHEQUE_URL}/openapi.json`,
  apiFile: './api.ts',
  apiImport: 'api',
  outputFile: './generated/endpoints.ts',
  exportName: 'ludotheque',
  tag: true,
};

await check('RTK Query generates endpoints', async () => {
  await run('mkdir', '-p', 'generated');
  await generateEndpoints(options);
});
await check('what RTK Query generates compiles under tsc --strict', () => run('npx', 'tsc'));
done();
