import { randomUUID } from 'node:crypto';

import type { HttpConnection } from './http-connection.ts';

export interface SessionLimits {
  /** The most connections to the server at once; a quarter of them may be of one pass. */
  readonly sessionsMax: number;
  /** A connection that nobody reads, and that was not used for so long, is ended. */
  readonly idleMs: number;
}

export interface Session {
  readonly id: string;
  readonly connection: HttpConnection;
  /** Resolves when the server has gone and its calls are recorded. */
  end(): Promise<void>;
}

/** The connections that are open, each of the pass that began it, whose tokens may change meanwhile. Undefined: of callers without one. */
export interface Sessions {
  /** Undefined: there are as many as may be. Rejects if the server cannot be started. */
  begin(passId: string | undefined, open: () => Promise<HttpConnection>): Promise<Session | undefined>;
  /** The session with this id, if this pass has begun it. */
  find(id: string, passId: string | undefined): Session | undefined;
  /** The connection of all that a pass sends without a session; it is begun if there is none. */
  share(passId: string | undefined, open: () => Promise<HttpConnection>): Promise<Session | undefined>;
  endIdle(): void;
  endAll(): Promise<void>;
}

interface Entry {
  readonly owner: string;
  readonly opening: Promise<HttpConnection>;
  connection?: HttpConnection;
  usedMs: number;
}

export function createSessions({ sessionsMax, idleMs }: SessionLimits, nowMs: () => number): Sessions {
  const entries = new Map<string, Entry>();
  const sharedIds = new Map<string, string>();
  const ofOnePassMax = Math.ceil(sessionsMax / 4);

  async function end(id: string): Promise<void> {
    const entry = entries.get(id);
    entries.delete(id);
    const connection = await entry?.opening.catch(() => undefined);
    await connection?.close();
  }

  const toSession = (id: string, connection: HttpConnection): Session => ({ id, connection, end: () => end(id) });

  async function begin(id: string, owner: string, open: () => Promise<HttpConnection>): Promise<Session | undefined> {
    const own = Array.from(entries.values()).filter((entry) => entry.owner === owner);
    if (entries.size >= sessionsMax || own.length >= ofOnePassMax) return undefined;
    const entry: Entry = { owner, opening: open(), usedMs: nowMs() };
    entries.set(id, entry); // its place is taken while the server starts
    try {
      entry.connection = await entry.opening;
    } catch (error) {
      entries.delete(id);
      throw error;
    }
    const forget = () => {
      entries.delete(id);
      if (sharedIds.get(owner) === id) sharedIds.delete(owner);
    };
    entry.connection.ended.then(forget, forget);
    return toSession(id, entry.connection);
  }

  function beginShared(owner: string, open: () => Promise<HttpConnection>): Promise<Session | undefined> {
    const id = randomUUID();
    sharedIds.set(owner, id);
    return begin(id, owner, open);
  }

  return {
    begin: async (passId = '', open) => begin(randomUUID(), passId, open),
    find(id, passId = '') {
      const entry = entries.get(id);
      if (entry?.connection === undefined || entry.owner !== passId) return undefined;
      entry.usedMs = nowMs();
      return toSession(id, entry.connection);
    },
    async share(owner = '', open) {
      const known = sharedIds.get(owner);
      const entry = known === undefined ? undefined : entries.get(known);
      if (known === undefined || entry === undefined) return beginShared(owner, open);
      entry.usedMs = nowMs();
      return toSession(known, await entry.opening);
    },
    endIdle() {
      const beforeMs = nowMs() - idleMs;
      for (const [id, { connection, usedMs }] of Array.from(entries))
        if (connection !== undefined && usedMs < beforeMs && !connection.hasReader()) void end(id);
    },
    async endAll() {
      await Promise.all(Array.from(entries.keys(), end));
    },
  };
}
