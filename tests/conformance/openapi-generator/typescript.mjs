// OpenAPI Generator for TypeScript and `fetch`, on the plain profile of the document that the running server serves: its
// client compiles under `tsc --strict` and plays every kind.

import { check, done, run } from './check.mjs';

const document = `${process.env.LUDOTHEQUE_URL}/openapi.json?profile=plain`;
const generate = ['generate', '-g', 'typescript-fetch', '-i', document, '-o', 'generated'];

await check('OpenAPI Generator makes a client for TypeScript', () => run('venv/bin/openapi-generator-cli', ...generate));
await check('its client compiles under tsc --strict', () => run('npx', 'tsc'));
process.stdout.write(await run('node', 'built/client.js'));
done();
