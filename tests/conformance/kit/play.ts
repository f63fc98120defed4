// Plays a game of every kind with a generated client, which stands behind the few calls of `Player`. Knows no game: it
// sends back the id of a legal move. Prints a line for each kind, as check.mjs does.

// Enough to have seen most of a kind; who is not done by then gives up.
const MOVES = 150;

export interface Standing {
  status: string;
  waitingFor: number[];
}

export interface Player {
  create(kind: string, seats: number): Promise<string>;
  sit(game: string): Promise<unknown>;
  start(game: string): Promise<Standing>;
  legalMoves(game: string): Promise<string[]>;
  play(game: string, move: string): Promise<Standing>;
  resign(game: string): Promise<Standing>;
  // How many steps the replay has, and how many were told as events.
  countSteps(game: string): Promise<[number, number]>;
}

export interface Kind {
  kind: string;
  seats: { least: number };
}

async function playGame(guest: (name: string) => Promise<Player>, kind: string, seats: number) {
  const players: Player[] = [];
  for (let seat = 0; seat < seats; seat += 1) players.push(await guest(`Seat ${seat}`));
  const at = (seat: number): Player => {
    const player = players[seat];
    if (!player) throw new Error(`there is no seat ${seat}`);
    return player;
  };
  const game = await at(0).create(kind, seats);
  for (const player of players.slice(1)) await player.sit(game);
  let now = await at(0).start(game);
  let played = 0;
  while (now.status === 'ACTIVE' && played < MOVES) {
    // With simultaneous moves, `waitingFor` may be empty.
    const player = at(now.waitingFor[0] ?? played % seats);
    const moves = await player.legalMoves(game);
    const move = moves[Math.floor(Math.random() * moves.length)];
    if (move === undefined) throw new Error(`${game}: nothing to play`);
    now = await player.play(game, move);
    played += 1;
  }
  for (const player of players) if (now.status === 'ACTIVE') now = await player.resign(game);
  if (now.status === 'ACTIVE') throw new Error(`${game} goes on without players`);
  const [replayed, told] = await at(0).countSteps(game);
  if (replayed !== told || told <= played) throw new Error(`${game}: ${replayed} steps, ${told} told, ${played} moves`);
}

async function check(name: string, work: () => Promise<void>) {
  try {
    await work();
    console.log(`ok ${name}`);
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error);
    console.log(`not ok ${name}: ${why.replaceAll('\n', ' | ')}`);
  }
}

// A check for each kind.
export async function playEveryKind(tool: string, guest: (name: string) => Promise<Player>, kinds: () => Promise<Kind[]>) {
  let all: Kind[] = [];
  await check(`${tool} lists the kinds`, async () => {
    all = await kinds();
  });
  for (const { kind, seats } of all) await check(`${tool} plays ${kind}`, () => playGame(guest, kind, seats.least));
}
