// The audits of graphql-http: GraphQL over HTTP, to the letter. A notice counts like an error.

import { serverAudits } from 'graphql-http';
import { check, done } from './check.mjs';
import { url } from './table.mjs';

const audits = serverAudits({ url });
await check(`there are 61 audits`, async () => {
  if (audits.length !== 61) throw new Error(`${audits.length}`);
});
for (const audit of audits) {
  await check(`${audit.id} ${audit.name}`, async () => {
    const result = await audit.fn();
    if (result.status !== 'ok') throw new Error(`${result.status}: ${result.reason}`);
  });
}
done();
