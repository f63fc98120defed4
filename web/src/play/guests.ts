import { texts } from "../texts";

/** A guest who is signed in, as long as this browser tab is open. */
export interface Guest {
  id: string;
  name: string;
  accessToken: string;
  refreshToken: string;
  /** Under which the refresh token is exchanged; nobody else knows it. */
  refreshKey: string;
  /** When the access token should be replaced, a little before it expires; milliseconds since 1970. */
  refreshAt: number;
}

export interface Table {
  guests: readonly Guest[];
  /** Whose token goes with a request; nobody's, if null. */
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

/** `crypto.randomUUID` would need HTTPS or localhost. */
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

/**
 * The guests of this tab and which of them is playing. Tokens are kept in the tab's own storage, so they survive a
 * reload and go when it is closed.
 */
class Guests {
  #table: Table = read();
  readonly #listeners = new Set<() => void>();
  /** Refresh tokens are good for one use: whoever needs a new token meanwhile waits for the same one. */
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
    // If it can't be told, the sign-in ends by itself: nobody has its tokens any more.
    await fetch("/v1/tokens/current", { method: "DELETE", headers }).catch(() => undefined);
  }

  choose(active: string | null): void {
    this.#change({ active, notice: null });
  }

  active(): Guest | null {
    return this.#find(this.#table.active);
  }

  /** A guest's access token, good for a while; null if the guest is signed out. */
  async token(id: string | null): Promise<string | null> {
    const guest = this.#find(id);
    if (!guest) return null;
    if (Date.now() < guest.refreshAt) return guest.accessToken;
    const underWay = this.#refreshing.get(guest.id) ?? this.#refresh(guest);
    this.#refreshing.set(guest.id, underWay);
    return underWay;
  }

  async #refresh(guest: Guest): Promise<string | null> {
    try {
      // If the answer is lost, the next try under the same key gets the same for a day. The key is as secret as the token:
      // an exchanged token alone is good for a minute.
      const body = { refreshToken: guest.refreshToken };
      const answer = await post("/v1/tokens", body, { "idempotency-key": guest.refreshKey });
      if (answer.status === 401) {
        this.#drop(guest.id, texts.signedOut(guest.name));
        return null;
      }
      // Whatever else went wrong, the token may still be good for the rest of its time.
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
  const kept = sessionStorage.getItem(KEY);
  return kept ? (JSON.parse(kept) as Table) : { guests: [], active: null, notice: null };
}

export const guests = new Guests();
