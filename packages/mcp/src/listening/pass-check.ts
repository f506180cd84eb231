import type { Tollgate } from '@tollgate/sdk';

import { fingerprint } from '../payer.ts';
import { checkPass, isRefused } from '../token-verifier.ts';

/** The id of the pass that a bearer token is, or stands for; undefined for one that is not good. Rejects if Tollgate cannot be asked. */
export type FindPassId = (bearer: string) => Promise<string | undefined>;

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
export function createPassCheck({ tollgate, resource, nowMs }: PassCheckDeps): FindPassId {
  const known = new Map<string, { readonly passId: Promise<string | undefined>; readonly untilMs: number }>();
  return async function findPassId(bearer) {
    const name = fingerprint(bearer);
    const found = known.get(name);
    if (found !== undefined && found.untilMs > nowMs()) return found.passId;
    const passId = ask(bearer);
    known.delete(name); // the newest comes last
    known.set(name, { passId, untilMs: nowMs() + keptMs });
    if (known.size > keptMax) for (const oldest of Array.from(known.keys()).slice(0, 1)) known.delete(oldest);
    passId.catch(() => known.delete(name)); // the next request asks again
    return passId;
  };

  async function ask(bearer: string): Promise<string | undefined> {
    try {
      return (await checkPass(tollgate, bearer, resource)).id;
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
  }
}
