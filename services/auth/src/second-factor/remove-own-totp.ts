import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { PresentedFactor } from '../accounts/begin-session.ts';
import { changeFactor, checkPassword, endOthers, noTotp, type Caller, type SecondFactorDeps } from './change-factor.ts';
import { deleteTotp } from './sql-totp.ts';

type Deps = Omit<SecondFactorDeps, 'box' | 'realTime'>;

export type RemoveOwnTotp = (
  proof: Caller & PresentedFactor & { readonly password: string },
  by: Actor,
) => Promise<void>;

/** A sign-in needs the password alone again. Ends all other sessions of the account. */
export function createRemoveOwnTotp(deps: Deps): RemoveOwnTotp {
  const { api, useSecondFactor, clock, credentialsChanged } = deps;
  return async function removeOwnTotp({ accountId, sessionId, password, ...presented }, by) {
    const { passwordHash } = await checkPassword(deps, accountId, password);
    await changeFactor(api, { accountId, sessionId, passwordHash }, async (tx) => {
      await useSecondFactor(tx, accountId, presented);
      if (!(await deleteTotp(tx, accountId))) throw noTotp();
      const detail = { sessions_ended: await endOthers(tx, { accountId, sessionId }, clock.now()) };
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, by, { action: 'second_factor.removed', accountId, object, detail });
    });
    await credentialsChanged();
  };
}
