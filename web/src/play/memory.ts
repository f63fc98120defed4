/** Values from responses for the variables of the next operation: the latest game, and a legal move in it. */
const noticed: Record<string, string> = {};

/** Searches a response for the id of a game and for the first of a list of moves. */
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

/** The variables of an operation as JSON, with the known values. */
export function filledIn(variables: readonly string[]): string {
  const known = variables.filter((name) => name in PLACEHOLDERS || name in noticed);
  const values = known.map((name) => [name, noticed[name] ?? PLACEHOLDERS[name]]);
  return values.length ? JSON.stringify(Object.fromEntries(values), null, 2) : "";
}

/** Placeholders for variables without a known value. */
const PLACEHOLDERS: Record<string, string> = { gameId: "game_…", moveId: "…" };
