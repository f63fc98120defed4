// A whole game of Chips by two guests, with the client that @hey-api/openapi-ts makes of /openapi.json:
//   npm ci && npm run generate:hey-api && npm run build && npm run play:hey-api

import { createClient, createConfig } from './generated/hey-api/client/index.js';
import { createGame, createPlayer, createSeat, listLegalMoves, playMove, startGame } from './generated/hey-api/index.js';

const baseUrl = process.env.LUDOTHEQUE_URL ?? 'http://127.0.0.1:8080';
const throwOnError = true;

// What a guest's calls have in common: the token, and that a refusal is thrown.
async function guest(displayName: string) {
  const anybody = createClient(createConfig({ baseUrl }));
  const { data } = await createPlayer({ client: anybody, body: { displayName }, throwOnError });
  return { client: createClient(createConfig({ baseUrl, auth: data.accessToken })), throwOnError } as const;
}

const ada = await guest('Ada');
const bob = await guest('Bob');
let { data: game } = await createGame({ ...ada, body: { kind: 'CHIPS', seats: 2 } });
const path = { id: game.id };
await createSeat({ ...bob, path });
({ data: game } = await startGame({ ...ada, path }));

let played = 0;
while (game.status === 'ACTIVE' && played < 1000) {
  const player = game.waitingFor[0] === 0 ? ada : bob;
  const { data: legal } = await listLegalMoves({ ...player, path });
  const move = legal.moves[Math.floor(Math.random() * legal.moves.length)];
  if (!move) throw new Error(`nothing to play at version ${legal.version}`);
  console.log(`${player === ada ? 'Ada' : 'Bob'}: ${move.label}`);
  ({ game } = (await playMove({ ...player, path, body: { id: move.id } })).data);
  played += 1;
}
console.log(`${game.id} ${game.status} after ${played} moves, won by seat ${game.outcome?.winners.join(' and ')}`);
