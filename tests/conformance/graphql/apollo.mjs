// Apollo Client with the links that its users put in.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { check, done } from './check.mjs';
import { FOLLOW, KINDS, ME, PLAY, aMove, bearer, play, table, url, wsUrl } from './table.mjs';

const { game, ada, bob } = await table();
const client = (link) => new ApolloClient({ link, cache: new InMemoryCache(), defaultOptions: { query: { fetchPolicy: 'no-cache' } } });
const http = (player) => new HttpLink({ uri: url, headers: player ? bearer(player) : {} });

await check('query without a token', async () => {
  assert.equal((await client(http()).query({ query: gql(KINDS) })).data.kinds[0].id, 'CHIPS');
});

await check('query with a token', async () => {
  assert.equal((await client(http(ada)).query({ query: gql(ME) })).data.me.id, ada.id);
});

await check('mutate', async () => {
  const variables = { game, id: await aMove(game, ada) };
  const { data } = await client(http(ada)).mutate({ mutation: gql(PLAY), variables });
  assert.equal(data.playMove.version, 4);
});

await check('subscribe and resume over a WebSocket', async () => {
  const socket = () => createClient({ url: wsUrl, webSocketImpl: WebSocket, connectionParams: bearer(ada) });
  const told = (after, count) =>
    new Promise((resolve, reject) => {
      const versions = [];
      const following = client(new GraphQLWsLink(socket()))
        .subscribe({ query: gql(FOLLOW), variables: { game, after } })
        .subscribe({
          next: ({ data, error }) => {
            if (error) return reject(error);
            versions.push(data.gameEvents.version);
            if (versions.length === count) {
              following.unsubscribe();
              resolve(versions);
            }
          },
          error: reject,
        });
    });
  assert.deepEqual(await told(0, 4), [1, 2, 3, 4]);
  const next = told(4, 1);
  await play(game, bob);
  assert.deepEqual(await next, [5]);
  assert.deepEqual(await told(4, 1), [5]);
});

await check('persisted queries: the document is sent once', async () => {
  const sha256 = (text) => createHash('sha256').update(text).digest('hex');
  for (const useGETForHashedQueries of [false, true]) {
    const bodies = [];
    const counting = (to, options) => {
      bodies.push(`${to} ${options.body ?? ''}`);
      return fetch(to, options);
    };
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(new HttpLink({ uri: url, fetch: counting }));
    const query = gql(`query Kinds${useGETForHashedQueries} { kinds { id } }`);
    for (let round = 0; round < 2; round++) {
      assert.equal((await client(link).query({ query })).data.kinds[0].id, 'CHIPS');
    }
    assert.equal(bodies.length, 3, 'by its hash, with the document, by its hash');
    assert(!bodies[2].includes('kinds'), bodies[2]);
  }
});

await check('batches', async () => {
  let requests = 0;
  const counting = (...args) => (requests++, fetch(...args));
  const batching = client(new BatchHttpLink({ uri: url, headers: bearer(ada), batchInterval: 20, fetch: counting }));
  const [kinds, me] = await Promise.all([batching.query({ query: gql(KINDS) }), batching.query({ query: gql(ME) })]);
  assert.equal(kinds.data.kinds[0].id, 'CHIPS');
  assert.equal(me.data.me.id, ada.id);
  assert.equal(requests, 1);
});

await check('errors carry their code', async () => {
  await assert.rejects(client(http()).query({ query: gql('{ nothing }') }), (error) => {
    assert.match(JSON.stringify(error), /GRAPHQL_VALIDATION_FAILED/);
    return true;
  });
});

await check('a bad token is distinguished from an absent one', async () => {
  await assert.rejects(client(http({ token: 'forged' })).query({ query: gql(ME) }), (error) => {
    assert.match(JSON.stringify(error), /INVALID_TOKEN|401/);
    return true;
  });
});

done();
