// The reference client of graphql-sse, with a connection for each operation.

import assert from 'node:assert/strict';
import { createClient } from 'graphql-sse';
import { check, done } from './check.mjs';
import { FOLLOW, KINDS, ME, PLAY, aMove, bearer, play, resign, table, url, versions } from './table.mjs';

const { game, ada, bob } = await table();
const connect = (player) => createClient({ url, headers: player ? bearer(player) : {}, retryAttempts: 0 });
const once = async (client, payload) => {
  const results = [];
  for await (const result of client.iterate(payload)) results.push(result);
  assert.equal(results.length, 1);
  return results[0];
};

await check('query without a token', async () => {
  assert.equal((await once(connect(), { query: KINDS })).data.kinds[0].id, 'CHIPS');
});

await check('query with a token', async () => {
  assert.equal((await once(connect(ada), { query: ME })).data.me.id, ada.id);
});

await check('mutate', async () => {
  const played = await once(connect(ada), { query: PLAY, variables: { game, id: await aMove(game, ada) } });
  assert.deepEqual(played.data.playMove, { version: 4, userErrors: [] });
});

await check('subscribe from the first step', async () => {
  assert.deepEqual(await versions(connect(bob).iterate({ query: FOLLOW, variables: { game } }), 4), [1, 2, 3, 4]);
});

await check('hear of a step as it happens, and resume after it', async () => {
  const following = connect(ada).iterate({ query: FOLLOW, variables: { game, after: 4 } });
  const told = versions(following, 1);
  await play(game, bob);
  assert.deepEqual(await told, [5]);
  assert.deepEqual(await versions(connect(ada).iterate({ query: FOLLOW, variables: { game, after: 4 } }), 1), [5]);
});

await check('a document that the schema does not understand is a result with errors', async () => {
  const result = await once(connect(), { query: 'subscription { nothing }' });
  assert.equal(result.errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
});

await check('a bad token is refused', async () => {
  await assert.rejects(once(connect({ token: 'forged' }), { query: KINDS }));
});

await check('complete with the game', async () => {
  await resign(game, ada);
  const told = await versions(connect(bob).iterate({ query: FOLLOW, variables: { game } }), Infinity);
  assert.deepEqual(told, [1, 2, 3, 4, 5, 6]);
});

done();
