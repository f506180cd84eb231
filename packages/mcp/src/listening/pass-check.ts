import { TollgateError, type Tollgate } from '@tollgate/sdk';

import { fingerprint } from '../payer.ts';

/** Whether a bearer token is a live pass. Rejects if Tollgate cannot be asked. */
export type IsLivePass = (bearer: string) => Promise<boolean>;

/** Each call is checked by itself, within a second; this is for what costs nothing, such as a list of tools. */
const keptMs = 30_000;
const keptMax = 10_000;

/** Strangers start no server: who begins a session has a pass, and one that is revoked loses what is free soon after. */
export function createPassCheck(tollgate: Tollgate, nowMs: () => number): IsLivePass {
  const known = new Map<string, { readonly isLive: Promise<boolean>; readonly untilMs: number }>();
  return async function isLivePass(bearer) {
    const name = fingerprint(bearer);
    const found = known.get(name);
    if (found !== undefined && found.untilMs > nowMs()) return found.isLive;
    const isLive = ask(bearer);
    known.delete(name); // the newest comes last
    known.set(name, { isLive, untilMs: nowMs() + keptMs });
    if (known.size > keptMax) for (const oldest of Array.from(known.keys()).slice(0, 1)) known.delete(oldest);
    isLive.catch(() => known.delete(name)); // the next request asks again
    return isLive;
  };

  async function ask(bearer: string): Promise<boolean> {
    try {
      return !(await tollgate.with({ apiKey: bearer }).passes.self()).paused;
    } catch (error) {
      if (error instanceof TollgateError && (error.status === 401 || error.status === 403)) return false;
      throw error;
    }
  }
}
