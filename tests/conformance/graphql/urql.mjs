// urql, with its own streams over fetch and with a WebSocket.

import assert from 'node:assert/strict';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { check, done } from './check.mjs';
import { FOLLOW, KINDS, ME, PLAY, aMove, bearer, play, table, url, wsUrl } from './table.mjs';

const { game, ada, bob } = await table();
const client = (player, options) =>
  new Client({ url, exchanges: [fetchExchange], preferGetMethod: false, fetchOptions: { headers: player ? bearer(player) : {} }, ...options });

const told = (from, after, count) =>
  new Promise((resolve, reject) => {
    const versions = [];
    const following = from.subscription(FOLLOW, { game, after }).subscribe((result) => {
      if (result.error) return reject(result.error);
      versions.push(result.data.gameEvents.version);
      if (versions.length === count) {
        setTimeout(() => following.unsubscribe());
        resolve(versions);
      }
    });
  });

await check('query by POST', async () => {
  const { data, error } = await client().query(KINDS, {});
  assert.equal(error, undefined);
  assert.equal(data.kinds[0].id, 'CHIPS');
});

await check('query by GET', async () => {
  const { data, error } = await client(ada, { preferGetMethod: 'force' }).query(ME, {});
  assert.equal(error, undefined);
  assert.equal(data.me.id, ada.id);
});

await check('mutate', async () => {
  const { data, error } = await client(ada).mutation(PLAY, { game, id: await aMove(game, ada) });
  assert.equal(error, undefined);
  assert.deepEqual(data.playMove.version, 4);
});

await check('subscribe and resume over server-sent events', async () => {
  const streaming = () => client(ada, { fetchSubscriptions: true });
  assert.deepEqual(await told(streaming(), 0, 4), [1, 2, 3, 4]);
  const next = told(streaming(), 4, 1);
  await play(game, bob);
  assert.deepEqual(await next, [5]);
});

await check('subscribe over a WebSocket', async () => {
  const socket = createClient({ url: wsUrl, webSocketImpl: WebSocket, connectionParams: bearer(bob) });
  const forwardSubscription = (operation) => ({
    subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...operation, query: operation.query ?? '' }, sink) }),
  });
  const listening = client(bob, { exchanges: [subscriptionExchange({ forwardSubscription }), fetchExchange] });
  assert.deepEqual(await told(listening, 2, 3), [3, 4, 5]);
});

await check('errors carry their code', async () => {
  const { error } = await client().query('{ nothing }', {});
  assert.equal(error.graphQLErrors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
});

done();
