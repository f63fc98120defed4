// Plays with the client that orval makes: a function per operation, over `fetch`.

import * as api from './generated/api';
import type { CreateGameKind } from './generated/model';
import { playEveryKind, type Player } from './play';

async function guest(displayName: string): Promise<Player> {
  const { accessToken } = await api.createPlayer({ displayName });
  const options = { headers: { authorization: `Bearer ${accessToken}` } };
  return {
    create: async (kind, seats) => (await api.createGame({ kind: kind as CreateGameKind, seats }, options)).id,
    sit: (id) => api.createSeat(id, {}, options),
    start: (id) => api.startGame(id, {}, options),
    legalMoves: async (id) => (await api.listLegalMoves(id, options)).moves.map((move) => move.id),
    play: async (id, move) => (await api.playMove(id, { id: move }, options)).game,
    resign: async (id) => (await api.resignGame(id, options)).game,
    countSteps: async (id) => {
      const told = await api.listEvents(id, { limit: 1000 }, options);
      return [(await api.getReplay(id, options)).steps.length, told && 'items' in told ? told.items.length : 0];
    },
  };
}

void playEveryKind('orval', guest, async () => (await api.listKinds()).items);
