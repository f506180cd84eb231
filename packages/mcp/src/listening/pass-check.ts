import type { Tollgate } from '@tollgate/sdk';

import type { ScopedPass } from '../missing-scope.ts';
import { NewestMap } from '../newest-map.ts';
import { fingerprint } from '../payer.ts';
import { checkPass, isRefused } from '../token-verifier.ts';

export interface PassCheck {
  /**
   * The pass that a bearer token is, or stands for; undefined for one that is not good. Rejects if Tollgate cannot be asked. It is
   * so many milliseconds old at most: by default 30 seconds.
   */
  find(bearer: string, withinMs?: number): Promise<ScopedPass | undefined>;
}

/** Each call is checked by itself, within a second; this is for what costs nothing, such as a list of tools. */
const keptMs = 30_000;
const keptMax = 10_000;

export interface PassCheckDeps {
  /** The client of the builder's account. */
  readonly tollgate: Tollgate;
  /** The URL of the server, for OAuth tokens. Undefined: none is good. */
  readonly resource: string | undefined;
  readonly nowMs: () => number;
}

/** Strangers start no server: who begins a session has a pass, and one that is revoked loses what is free soon after. */
export function createPassCheck({ tollgate, resource, nowMs }: PassCheckDeps): PassCheck {
  const known = new NewestMap<{ readonly pass: Promise<ScopedPass | undefined>; readonly askedMs: number }>(keptMax);
  return {
    async find(bearer, withinMs = keptMs) {
      const name = fingerprint(bearer);
      const found = known.get(name);
      return found !== undefined && found.askedMs + withinMs > nowMs() ? found.pass : findAnew(name, bearer);
    },
  };

  async function findAnew(name: string, bearer: string): Promise<ScopedPass | undefined> {
    const pass = ask(bearer);
    known.set(name, { pass, askedMs: nowMs() });
    pass.catch(() => known.delete(name)); // the next request asks again
    return pass;
  }

  async function ask(bearer: string): Promise<ScopedPass | undefined> {
    try {
      const { id: passId, tools, token } = await checkPass(tollgate, bearer, resource);
      return { passId, tools, isKey: token === undefined || token === null };
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
  }
}
