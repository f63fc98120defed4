// kubb, on the document that the running server serves: what it makes compiles under `tsc --strict`.

import { check, done, run } from './check.mjs';

await check('kubb generates types and a client', () => run('npx', 'kubb', 'generate', '--config', 'kubb.config.ts'));
await check('what kubb generates compiles under tsc --strict', () => run('npx', 'tsc'));
done();
