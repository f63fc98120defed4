// What the server would refuse, and the compiler refuses first: each line under a `@ts-expect-error` must be an error.

import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi.js';
import { createGame, playMove } from './generated/hey-api/index.js';
import type { LookQuery, PlayMutationVariables } from './generated/graphql/graphql.js';

export async function refused() {
  const client = createClient<paths>();
  // @ts-expect-error there is no such kind
  await client.POST('/v1/games', { body: { kind: 'POKER' } });
  // @ts-expect-error a name is a text
  await client.POST('/v1/players', { body: { displayName: 36 } });
  // @ts-expect-error the game is missing
  await client.GET('/v1/games/{id}', {});
  // @ts-expect-error there is no such kind
  await createGame({ body: { kind: 'POKER' } });
  // @ts-expect-error the move has no such card
  await playMove({ path: { id: 'game_0' }, body: { move: { type: 'DISCARD', cards: ['queen of hearts'] } } });
  // @ts-expect-error the move is missing
  const variables: PlayMutationVariables = { id: 'game_0' };
  // @ts-expect-error nothing like it was asked for
  const cards = (answer: LookQuery) => answer.game?.hands;
  return [variables, cards];
}
