// A table with two players, set up over REST, so that the clients under test have something to ask about.

import assert from 'node:assert/strict';

export const server = process.env.LUDOTHEQUE_URL;
export const url = `${server}/graphql`;
export const wsUrl = url.replace('http', 'ws');

export const KINDS = 'query Kinds { kinds { id name } }';
export const ME = 'query Me { me { id displayName } }';
export const PLAY =
  'mutation Play($game: ID!, $id: String!) { playMove(input: {gameId: $game, id: $id}) { version userErrors { code message } } }';
export const FOLLOW = 'subscription Follow($game: ID!, $after: Int) { gameEvents(gameId: $game, after: $after) { version } }';

export const bearer = (player) => ({ authorization: `Bearer ${player.token}` });

async function rest(method, path, player, body) {
  const response = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json', ...(player && bearer(player)) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert(response.ok, `${path}: ${response.status} ${text}`);
  return text && JSON.parse(text);
}

export async function guest(name) {
  const tokens = await rest('POST', '/v1/players', null, { displayName: name });
  return { id: tokens.player.id, token: tokens.accessToken };
}

// A game of Chips that has started: version 3.
export async function table() {
  const [ada, bob] = [await guest('Ada'), await guest('Bob')];
  const { id } = await rest('POST', '/v1/games', ada, { kind: 'CHIPS', seats: 2 });
  await rest('POST', `/v1/games/${id}/seats`, bob, {});
  await rest('POST', `/v1/games/${id}/start`, ada, {});
  return { game: id, ada, bob };
}

export async function aMove(game, player) {
  const { moves } = await rest('GET', `/v1/games/${game}/legal-moves`, player);
  return moves[0].id;
}

export async function play(game, player) {
  await rest('POST', `/v1/games/${game}/moves`, player, { id: await aMove(game, player) });
}

export async function resign(game, player) {
  await rest('POST', `/v1/games/${game}/resignation`, player, {});
}

// The first versions of an iterator of results.
export async function versions(results, count) {
  const told = [];
  for await (const result of results) {
    assert.equal(result.errors, undefined, JSON.stringify(result.errors));
    told.push(result.data.gameEvents.version);
    if (told.length === count) break;
  }
  return told;
}
