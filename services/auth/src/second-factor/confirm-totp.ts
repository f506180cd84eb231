import type { Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { noteSecondFactor } from '../sessions/sql-session-cookie.ts';
import { changeFactor, endOthers, noTotp, totpEnabled, type Caller, type SecondFactorDeps } from './change-factor.ts';
import { putNewRecoveryCodes } from './replace-recovery-codes.ts';
import { confirmTotp, readTotp } from './sql-totp.ts';
import { stepOfCode } from './totp.ts';
import { invalidSecondFactor, openTotpSecret } from './use-second-factor.ts';

type Deps = Pick<SecondFactorDeps, 'api' | 'box' | 'clock' | 'realTime' | 'credentialsChanged'>;

export type ConfirmTotp = (request: Caller & { readonly code: string }, by: Actor) => Promise<readonly string[]>;

/** From now on a sign-in needs a code. Returns the recovery codes; ends all other sessions of the account. */
export function createConfirmTotp({ api, box, clock, realTime, credentialsChanged }: Deps): ConfirmTotp {
  return async function confirmTotpOf({ code, ...caller }, by) {
    const codes = await changeFactor(api, caller, async (tx) => {
      const { accountId } = caller;
      await confirm(tx, caller, code);
      const detail = { sessions_ended: await endOthers(tx, caller, clock.now()) };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, by, { action: 'second_factor.added', accountId, object, detail });
      return putNewRecoveryCodes(tx, accountId);
    });
    await credentialsChanged();
    return codes;
  };

  async function confirm(tx: Transaction, { accountId, sessionId }: Caller, code: string): Promise<void> {
    const totp = await readTotp(tx, accountId);
    if (totp === undefined) throw noTotp();
    if (totp.confirmedAt !== undefined) throw totpEnabled();
    const step = stepOfCode(openTotpSecret(box, totp.secretSealed, accountId), code, realTime.now());
    if (step === undefined) throw invalidSecondFactor();
    await confirmTotp(tx, { accountId, step, confirmedAt: clock.now() });
    await noteSecondFactor(tx, sessionId, realTime.now()); // a browser has shown a code by that
  }
}
