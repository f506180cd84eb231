import type { Database } from '@tollgate/database/database';
import { countUnusedRecoveryCodes } from './sql-recovery-code.ts';
import { readTotp } from './sql-totp.ts';

export interface TotpFacts {
  /** Undefined: a sign-in needs the password alone. */
  readonly confirmedAt: number | undefined;
  readonly recoveryCodesLeft: number;
}

export type ReadTotpState = (accountId: string) => Promise<TotpFacts>;

export function createReadTotpState({ api }: { readonly api: Database }): ReadTotpState {
  return function readTotpState(accountId) {
    return api.transaction(
      async (tx) => ({
        confirmedAt: (await readTotp(tx, accountId))?.confirmedAt,
        recoveryCodesLeft: await countUnusedRecoveryCodes(tx, accountId),
      }),
      { accountId },
    );
  };
}
