import { createClient, type Client } from "graphql-ws";
import { guests, type Guest } from "./guests";
import { notice } from "./memory";

/** A subscription in the live pane, with the events it has received. */
export interface Feed {
  id: number;
  title: string;
  as: string | null;
  state: "waiting" | "open" | "ended" | "failed";
  /** Oldest first; the oldest are dropped beyond `MOST_ENTRIES`. */
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

/** One socket per guest, because the token is sent when the socket opens; reconnecting fetches the current token. */
const clients = new Map<string | null, Client>();

function client(guest: string | null): Client {
  const found = clients.get(guest) ?? createClient({
    url: `${location.origin.replace(/^http/, "ws")}/graphql`,
    retryAttempts: 0,
    connectionParams: async () => {
      const token = await guests.token(guest);
      return token ? { authorization: `Bearer ${token}` } : {};
    },
  });
  clients.set(guest, found);
  return found;
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

  /** Starts a subscription, as a guest or without a token. */
  start(operation: Operation, guest: Guest | null): void {
    const id = ++this.#count;
    const title = operation.operationName ?? "subscription";
    const controller = new AbortController();
    const stop = () => controller.abort();
    this.#show([...this.#feeds, { id, title, as: guest?.name ?? null, state: "waiting", entries: [], stop }]);
    void this.#follow(id, operation, guest?.id ?? null, controller.signal);
  }

  remove(id: number): void {
    this.#show(this.#feeds.filter((feed) => feed.id !== id));
  }

  /**
   * Shows the events of a subscription until it ends. If the socket breaks, or closes because the token has expired, it
   * reconnects, and resumes after the last version seen if the operation has a variable `$after`.
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
          this.#append(id, result);
          const version = lastVersion(result.data);
          if (version !== null && "after" in variables) variables = { ...variables, after: version };
        }
        return this.#change(id, { state: "ended" });
      } catch (error) {
        if (!(error instanceof CloseEvent) || tries >= MOST_TRIES) {
          this.#append(id, error instanceof CloseEvent ? { closed: error.code, reason: error.reason } : error);
          return this.#change(id, { state: "failed" });
        }
        this.#change(id, { state: "waiting" });
        await new Promise((resolve) => setTimeout(resolve, 500 * tries));
        if (stopped.aborted) return this.#change(id, { state: "ended" });
      }
    }
  }

  #append(id: number, event: unknown): void {
    const feed = this.#feeds.find((one) => one.id === id);
    if (!feed) return;
    const entry = { id: (feed.entries.at(-1)?.id ?? 0) + 1, at: new Date(), text: JSON.stringify(event) };
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

/** The version of an item in a stream of steps. */
function lastVersion(data: unknown): number | null {
  const fields = typeof data === "object" && data !== null ? Object.values(data) : [];
  const version: unknown = fields[0]?.version;
  return typeof version === "number" ? version : null;
}

export const live = new Live();
