// orval, on the document that the running server serves: its client compiles under `tsc --strict` and plays every kind.

import { check, done, run } from './check.mjs';

await check('orval generates a client', () => run('npx', 'orval', '--config', 'orval.config.mjs'));
await check('what orval generates compiles under tsc --strict', () => run('npx', 'tsc'));
process.stdout.write(await run('node', 'built/client.js'));
done();
