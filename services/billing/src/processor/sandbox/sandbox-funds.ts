import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import { lockInSandbox } from './lock-sandbox-charge.ts';
import { paidOutText } from './sandbox-own-payouts.ts';

// Movements that were reversed count for nothing, but for their fees.
const movedText = `
select (select sum(cents) from sandbox.balance) - (
  select coalesce(sum(case kind when 'charge' then amount_cents else -amount_cents end), 0)
  from sandbox.movement where reverses_at <= $1
) - ${paidOutText('$1')} as cents`;

/**
 * Reads all that movements and own payouts have added to the platform's balance, in cents; below zero if they took more.
 * Until the transaction ends, no other transfer or own payout is made.
 */
export async function lockMovedFunds(tx: Transaction, nowMs: number): Promise<bigint> {
  await lockInSandbox(tx, 'balance'); // a statement of its own: the next one sees what the transfer before has taken
  const { cents } = onlyRow(await tx.query<{ cents: string }>(movedText, [toIso(nowMs)]));
  return BigInt(cents);
}
