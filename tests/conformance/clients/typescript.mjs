// Three generators of TypeScript clients, on what the running server says of itself; their clients compile under
// `tsc --strict` and play whole games. The examples are those of clients/typescript, run by their own npm scripts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { check, done, run } from './check.mjs';

const tools = ['openapi-typescript', 'hey-api', 'graphql-codegen'];

for (const tool of tools) {
  await check(`${tool} generates a client`, () => run('npm', 'run', '--silent', `generate:${tool}`));
  await check(`the example of ${tool} is a short one`, async () => {
    const lines = (await readFile(`${tool}.ts`, 'utf8')).split('\n').length;
    assert(lines < 150, `${lines} lines`);
  });
}
// With them refused.ts, which only compiles if what the server would refuse is an error of types.
await check('all of it compiles under tsc --strict', () => run('npm', 'run', '--silent', 'build'));
for (const tool of tools) {
  await check(`${tool} plays a whole game of Chips`, async () => {
    const said = await run('npm', 'run', '--silent', `play:${tool}`);
    const [, id, moves] = said.match(/^(game_\w+) FINISHED after (\d+) moves, won by seat \d/m) ?? assert.fail(said);
    const replay = await (await fetch(`${process.env.LUDOTHEQUE_URL}/v1/games/${id}/replay`)).json();
    assert.equal(replay.status, 'FINISHED');
    assert.equal(replay.steps.length, Number(moves) + 3, 'created, joined and started, and all the moves');
  });
}
done();
