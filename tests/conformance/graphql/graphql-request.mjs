// graphql-request: small, and strict about what it is answered.

import assert from 'node:assert/strict';
import { GraphQLClient } from 'graphql-request';
import { check, done } from './check.mjs';
import { KINDS, ME, PLAY, aMove, bearer, table, url } from './table.mjs';

const { game, ada } = await table();
const client = new GraphQLClient(url, { headers: bearer(ada) });

await check('query', async () => {
  assert.equal((await new GraphQLClient(url).request(KINDS)).kinds[0].id, 'CHIPS');
  assert.equal((await client.request(ME)).me.id, ada.id);
});

await check('query by GET', async () => {
  const getting = new GraphQLClient(url, { headers: bearer(ada), method: 'GET' });
  assert.equal((await getting.request(ME)).me.id, ada.id);
});

await check('mutate', async () => {
  const played = await client.request(PLAY, { game, id: await aMove(game, ada) });
  assert.deepEqual(played.playMove, { version: 4, userErrors: [] });
});

await check('a refused move is in the payload', async () => {
  const played = await client.request(PLAY, { game, id: 'nonsense' });
  assert.equal(played.playMove.version, 4, 'where the game stands');
  assert.equal(typeof played.playMove.userErrors[0].code, 'string');
});

await check('batches', async () => {
  const answers = await client.batchRequests([{ document: KINDS }, { document: ME }]);
  assert.equal(answers[1].data.me.id, ada.id);
});

await check('errors carry their code', async () => {
  await assert.rejects(client.request('{ nothing }'), (error) => {
    assert.equal(error.response.errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
    return true;
  });
});

await check('a bad token is 401', async () => {
  const forger = new GraphQLClient(url, { headers: { authorization: 'Bearer forged' } });
  await assert.rejects(forger.request(ME), (error) => {
    assert.equal(error.response.status, 401);
    return true;
  });
});

done();
