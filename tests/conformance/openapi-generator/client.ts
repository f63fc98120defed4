// Plays with the client that OpenAPI Generator makes for TypeScript and `fetch`.

import { Configuration, GamesApi, KindsApi, PlayApi, PlayersApi, type CreateGameKindEnum } from './generated';
import { playEveryKind, type Player } from './play';

const basePath = process.env.LUDOTHEQUE_URL;
const anybody = new Configuration({ basePath });

async function guest(displayName: string): Promise<Player> {
  const { accessToken } = await new PlayersApi(anybody).createPlayer({ register: { displayName } });
  const configuration = new Configuration({ basePath, accessToken });
  const games = new GamesApi(configuration);
  const moves = new PlayApi(configuration);
  return {
    create: async (kind, seats) =>
      (await games.createGame({ createGame: { kind: kind as CreateGameKindEnum, seats } })).id,
    sit: (id) => games.createSeat({ id }),
    start: (id) => games.startGame({ id }),
    legalMoves: async (id) => (await moves.listLegalMoves({ id })).moves.map((move) => move.id),
    play: async (id, move) => (await moves.playMove({ id, play: { id: move } })).game,
    resign: async (id) => (await moves.resignGame({ id })).game,
    countSteps: async (id) => [
      (await games.getReplay({ id })).steps.length,
      (await moves.listEvents({ id, limit: 1000 }))?.items.length ?? 0,
    ],
  };
}

void playEveryKind('typescript-fetch', guest, async () => (await new KindsApi(anybody).listKinds()).items);
