/** What answers told that the next operation will want: the game at hand, and a move that is legal in it. */
const noticed: Record<string, string> = {};

/** Reads an answer, however deep: the newest game's id, and the first of a list of moves. */
export function notice(answer: unknown): void {
  if (Array.isArray(answer)) return answer.forEach(notice);
  if (typeof answer !== "object" || answer === null) return;
  for (const [key, value] of Object.entries(answer)) {
    if (key === "id" && typeof value === "string" && value.startsWith("game_")) noticed.gameId = value;
    if (key === "moves" && Array.isArray(value)) {
      const first: unknown = value[0]?.id;
      if (typeof first === "string") noticed.moveId = first;
    }
    notice(value);
  }
}

/** Values for an operation's variables, as far as they are known. */
export function filledIn(variables: readonly string[]): string {
  const known = variables.filter((name) => name in STANDING_IN || name in noticed);
  const values = known.map((name) => [name, noticed[name] ?? STANDING_IN[name]]);
  return values.length ? JSON.stringify(Object.fromEntries(values), null, 2) : "";
}

/** What is shown until something better is known. */
const STANDING_IN: Record<string, string> = { gameId: "game_…", moveId: "…" };
