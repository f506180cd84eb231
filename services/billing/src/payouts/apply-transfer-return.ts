import type { Transaction } from '@tollgate/database/database';
import { lockBuilderGross, readBuilderGross } from '../fees/sql-builder-gross.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { Attempt } from '../processor/attempt.ts';
import type { TransferReturned } from '../processor/settle-attempt.ts';
import { returnedPosting } from './payout-postings.ts';
import { lockPayout } from './sql-payouts.ts';
import { insertTransferReturn, readTransferReturns } from './sql-transfer-returns.ts';

/**
 * Books the part of a transfer that came back since it was last looked at: it is owed to the builder again, and the next
 * payout takes it (F124). The attempt must be locked. Safe to repeat.
 */
export async function applyTransferReturn(tx: Transaction, attempt: Attempt, returned: TransferReturned) {
  const known = await readTransferReturns(tx, attempt.id);
  const cents = returned.returnedCents - known.cents;
  // At the processor the part only grows, so less was read before more was booked. Only a whole return undoes the parts.
  if (cents === 0n || (cents < 0n && returned.returnedCents > 0n)) return;
  const payout = await lockPayout(tx, attempt.subjectId);
  if (payout === undefined) throw new Error(`there is no payout ${attempt.subjectId} for attempt ${attempt.id}`);
  const { builderId } = payout;
  const keys = [...(await readBuilderGross(tx, builderId)).keys()];
  await lockBuilderGross(
    tx,
    keys.map((grossKey) => ({ builderId, grossKey })),
  );
  const part = { attemptNumber: attempt.number, place: known.parts + 1, cents, atMs: returned.atMs };
  await insertTransferReturn(tx, { attemptId: attempt.id, builderId }, part);
  await postLedger(tx, [returnedPosting(payout, part)]);
}
