// The reference client of graphql-transport-ws.

import assert from 'node:assert/strict';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { check, done } from './check.mjs';
import { FOLLOW, KINDS, ME, PLAY, aMove, bearer, play, resign, table, versions, wsUrl } from './table.mjs';

const { game, ada, bob } = await table();
const connect = (options) => createClient({ url: wsUrl, webSocketImpl: WebSocket, retryAttempts: 0, ...options });
const once = (client, payload) =>
  new Promise((resolve, reject) => {
    let result;
    client.subscribe(payload, { next: (value) => (result = value), error: reject, complete: () => resolve(result) });
  });

await check('query without a token', async () => {
  const result = await once(connect(), { query: KINDS });
  assert.equal(result.data.kinds[0].id, 'CHIPS');
});

await check('query with a token in connectionParams', async () => {
  const result = await once(connect({ connectionParams: bearer(ada) }), { query: ME });
  assert.equal(result.data.me.id, ada.id);
});

await check('language in connectionParams', async () => {
  const kinds = async (acceptLanguage) =>
    (await once(connect({ connectionParams: { acceptLanguage } }), { query: 'query a { me { id } } query b { me { id } }' }).catch(
      (errors) => errors[0].message,
    ));
  assert.match(await kinds('fr'), /^Le document/);
  assert.match(await kinds('en'), /^The document/);
});

await check('mutate, and hear of it on the same socket', async () => {
  const client = connect({ connectionParams: bearer(ada) });
  const following = client.iterate({ query: FOLLOW, variables: { game, after: 3 } });
  const played = await once(client, { query: PLAY, variables: { game, id: await aMove(game, ada) } });
  assert.deepEqual(played.data.playMove, { version: 4, userErrors: [] });
  assert.deepEqual(await versions(following, 1), [4]);
});

await check('subscribe from the first step', async () => {
  const client = connect({ connectionParams: bearer(bob) });
  assert.deepEqual(await versions(client.iterate({ query: FOLLOW, variables: { game } }), 4), [1, 2, 3, 4]);
});

await check('resume after a lost connection, without gap or duplicate', async () => {
  let socket;
  const client = connect({ connectionParams: bearer(ada), on: { connected: (opened) => (socket = opened) } });
  const [first] = await versions(client.iterate({ query: FOLLOW, variables: { game, after: 3 } }), 1);
  socket.terminate();
  await play(game, bob);
  assert.deepEqual(await versions(client.iterate({ query: FOLLOW, variables: { game, after: first } }), 1), [5]);
});

await check('a document that the schema does not understand is an error', async () => {
  await assert.rejects(once(connect(), { query: '{ nothing }' }), (errors) => {
    assert.equal(errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
    return true;
  });
});

await check('a bad token closes with 4403', async () => {
  const client = connect({ connectionParams: { authorization: 'Bearer forged' } });
  await assert.rejects(once(client, { query: KINDS }), (event) => {
    assert.equal(event.code, 4403);
    return true;
  });
});

await check('pings are answered', async () => {
  const client = connect({ lazy: false, keepAlive: 50 });
  await new Promise((resolve) => client.on('pong', (received) => received && resolve()));
  await client.dispose();
});

await check('complete with the game', async () => {
  const client = connect({ connectionParams: bearer(bob) });
  await resign(game, ada);
  const told = await versions(client.iterate({ query: FOLLOW, variables: { game } }), Infinity);
  assert.deepEqual(told, [1, 2, 3, 4, 5, 6]);
});

done();
