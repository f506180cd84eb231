import type { Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { PresentedFactor } from '../accounts/begin-session.ts';
import { changeFactor, checkPassword, noTotp, type Caller, type SecondFactorDeps } from './change-factor.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-code.ts';
import { putRecoveryCodes } from './sql-recovery-code.ts';
import { readTotp } from './sql-totp.ts';

type Deps = Pick<SecondFactorDeps, 'api' | 'readAccount' | 'hasher' | 'useSecondFactor'>;

export type ReplaceRecoveryCodes = (
  proof: Caller & PresentedFactor & { readonly password: string },
  by: Actor,
) => Promise<readonly string[]>;

/** Returns ten new codes; the earlier ones are void. */
export function createReplaceRecoveryCodes(deps: Deps): ReplaceRecoveryCodes {
  const { api, useSecondFactor } = deps;
  return async function replaceRecoveryCodes({ accountId, sessionId, password, ...presented }, by) {
    const { passwordHash } = await checkPassword(deps, accountId, password);
    return changeFactor(api, { accountId, sessionId, passwordHash }, async (tx) => {
      await useSecondFactor(tx, accountId, presented);
      if ((await readTotp(tx, accountId))?.confirmedAt === undefined) throw noTotp();
      const object = { kind: 'account', id: accountId };
      await recordAct(tx, by, { action: 'recovery_codes.replaced', accountId, object });
      return putNewRecoveryCodes(tx, accountId);
    });
  };
}

/** Stores the hashes of ten new codes. The caller shows the codes once, and nobody sees them again. */
export async function putNewRecoveryCodes(tx: Transaction, accountId: string): Promise<readonly string[]> {
  const codes = createRecoveryCodes();
  await putRecoveryCodes(tx, accountId, codes.map(hashRecoveryCode));
  return codes;
}
