import { AppError } from '@tollgate/kernel/app-error';
import { timeIfMoved, type Clock } from '@tollgate/kernel/clock';
import type { SpendingToken } from '@tollgate/runtime/auth/spending-token-check';
import type { NamePass } from './named-pass.ts';
import type { Pass } from './pass.ts';

export interface CheckPassDeps {
  readonly namePass: NamePass;
  readonly isSuspended: (accountId: string) => boolean;
  readonly clock: Pick<Clock, 'now'>;
}

export interface CheckedPass {
  readonly pass: Pass;
  /** Undefined: it was named by its key. */
  readonly token: SpendingToken | undefined;
}

export interface PassToCheck {
  /** The key of a pass, or an access token of OAuth. */
  readonly text: string;
  /** The server that asks. A token must be for it. */
  readonly resource: string | undefined;
}

/** Whether who sent this may come in. Whoever holds a pass may ask that, so it tells no more than the pass itself does. */
export type CheckPass = (asked: PassToCheck) => Promise<CheckedPass>;

/** Throws `pass_refused` for all that is not good, and `unavailable` if that cannot be known. */
export function createCheckPass({ namePass, isSuspended, clock }: CheckPassDeps): CheckPass {
  return async function checkPass({ text, resource }) {
    const named = await namePass(text);
    if (named === undefined || (named.token !== undefined && named.token.resource !== resource)) throw refused();
    const pass = isGood(named.known) ? named.known : await named.lookUp();
    if (!isGood(pass)) throw refused();
    return { pass, token: named.token };
  };

  function isGood(pass: Pass | undefined): pass is Pass {
    if (pass === undefined || pass.isPaused || isSuspended(pass.accountId)) return false;
    return pass.expiresAtMs === undefined || clock.now() < pass.expiresAtMs;
  }

  function refused(): AppError {
    const message = `The pass cannot be used here: it is unknown, revoked, paused or expired, or its token is for another server.${timeIfMoved(clock.now())}`;
    return new AppError('pass_refused', message);
  }
}
