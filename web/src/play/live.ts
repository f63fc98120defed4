import { createClient, type Client } from "graphql-ws";
import { guests, type Guest } from "./guests";
import { notice } from "./memory";

/** A subscription that runs beside everything else, and what it has told. */
export interface Feed {
  id: number;
  title: string;
  as: string | null;
  state: "waiting" | "open" | "ended" | "failed";
  /** The newest last; the oldest of very many are let go. */
  entries: readonly Entry[];
  stop: () => void;
}

export interface Entry {
  id: number;
  at: Date;
  text: string;
}

export interface Operation {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown>;
}

const MOST_ENTRIES = 200;
const MOST_TRIES = 5;

/** One socket per guest: the token is told when it opens, and asked for anew whenever it has to open again. */
const clients = new Map<string | null, Client>();

function client(guest: string | null): Client {
  const made = clients.get(guest) ?? createClient({
    url: `${location.origin.replace(/^http/, "ws")}/graphql`,
    retryAttempts: 0,
    connectionParams: async () => {
      const token = await guests.token(guest);
      return token ? { authorization: `Bearer ${token}` } : {};
    },
  });
  clients.set(guest, made);
  return made;
}

class Live {
  #feeds: readonly Feed[] = [];
  #count = 0;
  readonly #listeners = new Set<() => void>();

  readonly feeds = (): readonly Feed[] => this.#feeds;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts a subscription, as a guest or as nobody. */
  start(operation: Operation, guest: Guest | null): void {
    const id = ++this.#count;
    const title = operation.operationName ?? "subscription";
    const leaving = new AbortController();
    const stop = () => leaving.abort();
    this.#show([...this.#feeds, { id, title, as: guest?.name ?? null, state: "waiting", entries: [], stop }]);
    void this.#follow(id, operation, guest?.id ?? null, leaving.signal);
  }

  remove(id: number): void {
    this.#show(this.#feeds.filter((feed) => feed.id !== id));
  }

  /**
   * Tells what comes until there is no more. A socket that breaks, or ends because its token has, is opened again, and
   * goes on after the last version seen if the operation can say so (`$after`).
   */
  async #follow(id: number, operation: Operation, guest: string | null, stopped: AbortSignal): Promise<void> {
    let variables = operation.variables ?? {};
    for (let tries = 1; ; tries++) {
      const results = client(guest).iterate({ ...operation, variables });
      stopped.addEventListener("abort", () => void results.return?.());
      try {
        for await (const result of results) {
          tries = 0;
          notice(result);
          this.#tell(id, result);
          const version = lastVersion(result.data);
          if (version !== null && "after" in variables) variables = { ...variables, after: version };
        }
        return this.#change(id, { state: "ended" });
      } catch (error) {
        if (!(error instanceof CloseEvent) || tries >= MOST_TRIES) {
          this.#tell(id, error instanceof CloseEvent ? { closed: error.code, reason: error.reason } : error);
          return this.#change(id, { state: "failed" });
        }
        this.#change(id, { state: "waiting" });
        await new Promise((resolve) => setTimeout(resolve, 500 * tries));
        if (stopped.aborted) return this.#change(id, { state: "ended" });
      }
    }
  }

  #tell(id: number, what: unknown): void {
    const feed = this.#feeds.find((one) => one.id === id);
    if (!feed) return;
    const entry = { id: (feed.entries.at(-1)?.id ?? 0) + 1, at: new Date(), text: JSON.stringify(what) };
    this.#change(id, { state: "open", entries: [...feed.entries, entry].slice(-MOST_ENTRIES) });
  }

  #change(id: number, change: Partial<Feed>): void {
    this.#show(this.#feeds.map((feed) => (feed.id === id ? { ...feed, ...change } : feed)));
  }

  #show(feeds: readonly Feed[]): void {
    this.#feeds = feeds;
    for (const listener of this.#listeners) listener();
  }
}

/** The version that an item of a stream of steps bears. */
function lastVersion(data: unknown): number | null {
  const fields = typeof data === "object" && data !== null ? Object.values(data) : [];
  const version: unknown = fields[0]?.version;
  return typeof version === "number" ? version : null;
}

export const live = new Live();
