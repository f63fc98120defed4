// A whole game of Chips by two guests, with documents that graphql-codegen gives the types of /graphql:
//   npm ci && npm run generate:graphql-codegen && npm run build && npm run play:graphql-codegen

import { GraphQLClient } from 'graphql-request';
import { graphql } from './generated/graphql/index.js';

const url = `${process.env.LUDOTHEQUE_URL ?? 'http://127.0.0.1:8080'}/graphql`;

const REGISTER = graphql(`
  mutation Register($displayName: String!) {
    createPlayer(input: { displayName: $displayName }) { tokens { accessToken } userErrors { message } }
  }
`);
const CREATE = graphql(`
  mutation Create { createGame(input: { kind: CHIPS, seats: 2 }) { game { id } userErrors { message } } }
`);
const SIT = graphql(`
  mutation Sit($id: ID!) { sitDown(input: { gameId: $id }) { userErrors { message } } }
`);
const START = graphql(`
  mutation Start($id: ID!) { startGame(input: { gameId: $id }) { userErrors { message } } }
`);
const LOOK = graphql(`
  query Look($id: ID!) {
    game(id: $id) {
      status
      waitingFor
      legalMoves { version moves { id label } }
      view { ... on ChipsView { round seats { seat tokens } } }
      outcome { winners }
    }
  }
`);
const PLAY = graphql(`
  mutation Play($id: ID!, $move: String!) { playMove(input: { gameId: $id, id: $move }) { version userErrors { message } } }
`);

// A payload, unless it says why nothing was done.
function done<T extends { userErrors: { message: string }[] }>(payload: T | null | undefined): T {
  const [refusal] = payload?.userErrors ?? [];
  if (!payload || refusal) throw new Error(refusal?.message ?? 'no answer');
  return payload;
}

// A client with a guest's token.
async function guest(displayName: string) {
  const { tokens } = done((await new GraphQLClient(url).request(REGISTER, { displayName })).createPlayer);
  return new GraphQLClient(url, { headers: { authorization: `Bearer ${tokens?.accessToken}` } });
}

const ada = await guest('Ada');
const bob = await guest('Bob');
const id = done((await ada.request(CREATE)).createGame).game?.id ?? '';
done((await bob.request(SIT, { id })).sitDown);
done((await ada.request(START, { id })).startGame);

let played = 0;
let { game } = await ada.request(LOOK, { id });
while (game?.status === 'ACTIVE' && played < 1000) {
  const player = game.waitingFor[0] === 0 ? ada : bob;
  const { moves } = (await player.request(LOOK, { id })).game?.legalMoves ?? { moves: [] };
  const move = moves[Math.floor(Math.random() * moves.length)];
  if (!move) throw new Error('nothing to play');
  console.log(`${player === ada ? 'Ada' : 'Bob'}: ${move.label}`);
  done((await player.request(PLAY, { id, move: move.id })).playMove);
  played += 1;
  ({ game } = await ada.request(LOOK, { id }));
}
console.log(`${id} ${game?.status} after ${played} moves, won by seat ${game?.outcome?.winners.join(' and ')}`);
