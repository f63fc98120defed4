import { texts } from "../texts";

/** A guest who is signed in. */
export interface Guest {
  id: string;
  name: string;
  accessToken: string;
  refreshToken: string;
  /** The idempotency key of the next refresh: a secret, like the token. */
  refreshKey: string;
  /** When to refresh the access token, shortly before it expires; milliseconds since 1970. */
  refreshAt: number;
}

export interface Table {
  guests: readonly Guest[];
  /** The guest whose token requests carry; null for requests without a token. */
  active: string | null;
  notice: string | null;
}

interface TokensBody {
  player: { id: string; displayName: string };
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
}

const NAMES = ["Ada", "Bob", "Cleo", "Dan", "Eve"];
export const MOST_GUESTS = NAMES.length;

const KEY = "ludotheque:guests";

/** Not `crypto.randomUUID`, which needs HTTPS or localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function asGuest({ player, accessToken, refreshToken, expiresIn }: TokensBody): Guest {
  const early = Math.min(60, expiresIn / 4);
  return {
    id: player.id,
    name: player.displayName,
    accessToken,
    refreshToken,
    refreshKey: randomKey(),
    refreshAt: Date.now() + (expiresIn - early) * 1000,
  };
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** The guests of this browser tab. Tokens are in its session storage: they survive a reload and vanish with the tab. */
class Guests {
  #table: Table = read();
  readonly #listeners = new Set<() => void>();
  /** Refresh tokens are valid for one use: concurrent callers share one request. */
  readonly #refreshing = new Map<string, Promise<string | null>>();

  readonly table = (): Table => this.#table;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async signIn(): Promise<void> {
    const taken = this.#table.guests.map((guest) => guest.name);
    const displayName = NAMES.find((name) => !taken.includes(name));
    if (!displayName) return;
    try {
      const answer = await post("/v1/players", { displayName });
      const body = await answer.json();
      if (!answer.ok) return this.#change({ notice: body.detail });
      const guest = asGuest(body);
      this.#change({ guests: [...this.#table.guests, guest], active: guest.id, notice: null });
    } catch {
      this.#change({ notice: texts.unreachable });
    }
  }

  async signOut(guest: Guest): Promise<void> {
    const token = await this.token(guest.id);
    this.#drop(guest.id, null);
    if (!token) return;
    const headers = { authorization: `Bearer ${token}` };
    // If the request fails, the sign-in expires by itself: its tokens are already deleted here.
    await fetch("/v1/tokens/current", { method: "DELETE", headers }).catch(() => undefined);
  }

  choose(active: string | null): void {
    this.#change({ active, notice: null });
  }

  active(): Guest | null {
    return this.#find(this.#table.active);
  }

  /** A valid access token of a guest; null if the guest is signed out. */
  async token(id: string | null): Promise<string | null> {
    const guest = this.#find(id);
    if (!guest) return null;
    if (Date.now() < guest.refreshAt) return guest.accessToken;
    const refresh = this.#refreshing.get(guest.id) ?? this.#refresh(guest);
    this.#refreshing.set(guest.id, refresh);
    return refresh;
  }

  async #refresh(guest: Guest): Promise<string | null> {
    try {
      // If the response is lost, another try with the same key returns the same tokens for a day; without a key, for a
      // minute.
      const body = { refreshToken: guest.refreshToken };
      const answer = await post("/v1/tokens", body, { "idempotency-key": guest.refreshKey });
      if (answer.status === 401) {
        this.#drop(guest.id, texts.signedOut(guest.name));
        return null;
      }
      // After any other failure the present token may still be valid.
      if (!answer.ok) return guest.accessToken;
      const next = asGuest(await answer.json());
      this.#change({ guests: this.#table.guests.map((old) => (old.id === guest.id ? next : old)) });
      return next.accessToken;
    } catch {
      return guest.accessToken;
    } finally {
      this.#refreshing.delete(guest.id);
    }
  }

  #find(id: string | null): Guest | null {
    return this.#table.guests.find((guest) => guest.id === id) ?? null;
  }

  #drop(id: string, notice: string | null): void {
    const guests = this.#table.guests.filter((guest) => guest.id !== id);
    const active = this.#table.active === id ? (guests[0]?.id ?? null) : this.#table.active;
    this.#change({ guests, active, notice });
  }

  #change(change: Partial<Table>): void {
    this.#table = { ...this.#table, ...change };
    sessionStorage.setItem(KEY, JSON.stringify({ ...this.#table, notice: null }));
    for (const listener of this.#listeners) listener();
  }
}

function read(): Table {
  const stored = sessionStorage.getItem(KEY);
  return stored ? (JSON.parse(stored) as Table) : { guests: [], active: null, notice: null };
}

export const guests = new Guests();
