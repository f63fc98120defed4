// A whole game of Chips by two guests, with the types that openapi-typescript makes of /openapi.json:
//   npm ci && npm run generate:openapi-typescript && npm run build && npm run play:openapi-typescript

import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi.js';

const baseUrl = process.env.LUDOTHEQUE_URL ?? 'http://127.0.0.1:8080';

// An answer, or why there is none.
function told<T>({ data, error }: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (data === undefined) throw new Error(error?.detail ?? 'no answer');
  return data;
}

// A client with a guest's token.
async function guest(displayName: string) {
  const { accessToken } = told(await createClient<paths>({ baseUrl }).POST('/v1/players', { body: { displayName } }));
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
}

const ada = await guest('Ada');
const bob = await guest('Bob');
let game = told(await ada.POST('/v1/games', { body: { kind: 'CHIPS', seats: 2 } }));
const params = { path: { id: game.id } };
told(await bob.POST('/v1/games/{id}/seats', { params }));
game = told(await ada.POST('/v1/games/{id}/start', { params }));

let played = 0;
while (game.status === 'ACTIVE' && played < 1000) {
  const player = game.waitingFor[0] === 0 ? ada : bob;
  const { moves, version } = told(await player.GET('/v1/games/{id}/legal-moves', { params }));
  const move = moves[Math.floor(Math.random() * moves.length)];
  if (!move) throw new Error(`nothing to play at version ${version}`);
  console.log(`${player === ada ? 'Ada' : 'Bob'}: ${move.label}`);
  game = told(await player.POST('/v1/games/{id}/moves', { params, body: { id: move.id } })).game;
  played += 1;
}
console.log(`${game.id} ${game.status} after ${played} moves, won by seat ${game.outcome?.winners.join(' and ')}`);
