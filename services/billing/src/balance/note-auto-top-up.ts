import type { Transaction } from '@tollgate/database/database';
import { retryAutoTopUpAtMs } from './retry-auto-top-up.ts';
import { findAutoTopUp, raiseBalanceAlert, setAutoTopUpFailures } from './sql-auto-top-up.ts';

interface Noted {
  readonly accountId: string;
  readonly nowMs: number;
}

/** Notes that an automatic top-up failed: the next one waits longer each time, and the account gets an alert. */
export async function noteAutoTopUpFailed(
  tx: Transaction,
  { accountId, nowMs, failureCode }: Noted & { readonly failureCode: string },
): Promise<void> {
  const setting = await findAutoTopUp(tx, { accountId, nowMs });
  if (setting === undefined) return; // removed meanwhile
  const failures = setting.failures + 1;
  const failed = { ...setting, failures, failureCode, retryAtMs: retryAutoTopUpAtMs(failures, nowMs) };
  await setAutoTopUpFailures(tx, failed);
  await raiseBalanceAlert(tx, { type: 'auto_top_up.failed', of: failed, raisedAtMs: nowMs });
}

/** Ends the wait after failures: an automatic top-up succeeded, or there is a new payment method. */
export async function forgetAutoTopUpFailures(tx: Transaction, accountId: string): Promise<void> {
  await setAutoTopUpFailures(tx, { accountId, failures: 0, failureCode: null, retryAtMs: null });
}
