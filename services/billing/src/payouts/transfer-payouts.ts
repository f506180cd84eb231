import { type Micros, micros } from '@tollgate/kernel/money';
import { nilUuid } from '@tollgate/kernel/uuid';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import type { Transaction } from '@tollgate/database/database';
import type { Attempt } from '../processor/attempt.ts';
import { type FeeScope, grossKeyOf } from '../fees/fee.ts';
import { failPayout, type MovedPayout, retryAtMs } from './move-payout.ts';
import type { Payout, PayoutsDeps } from './payout.ts';
import { planRetry } from './plan-retry.ts';
import { readFree } from './read-hold.ts';
import { planTransferOutcome } from './plan-transfer-outcome.ts';
import { hasUnsettledAttempt, type AttemptResult } from '../processor/sql-attempts.ts';
import { countOtherTransfers, insertTransferReturn, readTransferReturns } from './sql-transfers.ts';
import { listDuePayouts, findLastPayoutDay } from './sql-list-due-payouts.ts';
import { findPayoutAccount } from '../processor/sql-connected-accounts.ts';
import { isSuspended } from '../processor/sql-customers.ts';
import { lockPayout, updatePayout } from './sql-payouts.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { lockBuilderGross, readBuilderGross } from '../fees/sql-builder-gross.ts';
import type { TransferReturned } from '../processor/settle-attempt.ts';
import { returnedPosting } from './payout-postings.ts';
import { readLaterMoney, readBuilderBalances } from './sql-read-builder-balances.ts';

const batchMax = 100;

/** The step that a payout took. */
type Step = { readonly kind: 'nothing' | 'moved' } | { readonly kind: 'ordered'; readonly attempt: Attempt };

/**
 * Orders the transfers of scheduled payouts whose time has come, and schedules failed payouts again. Returns how many
 * payouts moved.
 *
 * Without an enabled payout account a payout fails before anything is ordered. Its money stays payable, and it goes on
 * as soon as there is such an account (F51). If refunds have taken of a payout that waited, it fails too. While the
 * processor is away, only orders wait (F117).
 *
 * A payout has one transfer at a time: its row is locked, and the database allows one unsettled attempt per payout. So
 * the function may be stopped anywhere, and run twice at once.
 */
export function createTransferPayouts(deps: PayoutsDeps) {
  const { database, attempts, scope, log } = deps;
  const { name: processor } = deps.processor;
  const { minimumMicros, young } = deps.settings;

  const walk = createWalk<string>(batchMax);

  return async function transferPayouts(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let moved = 0;
    const due = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      const isProcessorAway = attempts.isProcessorAway();
      return listDuePayouts(database, { processor, nowMs, isProcessorAway, afterId, limit });
    });
    for await (const id of due) if (await transferPayout(id, nowMs)) moved += 1;
    return moved;
  };

  /** Returns whether the payout moved. A payout that fails does not hold up the others. */
  async function transferPayout(id: string, nowMs: number): Promise<boolean> {
    try {
      const step = await database.transaction(async (tx) => advance(tx, await lockPayout(tx, id), nowMs));
      if (step.kind === 'ordered') await attempts.carryOut(step.attempt);
      return step.kind !== 'nothing';
    } catch (error) {
      log.error(
        { payout: id, err: error },
        'could not transfer a payout or schedule it again; the next round tries again',
      );
      return false;
    }
  }

  async function advance(tx: Transaction, payout: Payout | undefined, nowMs: number): Promise<Step> {
    if (payout === undefined || !(await isDue(tx, payout, nowMs))) return { kind: 'nothing' };
    if (await isSuspended(tx, payout.builderId)) return { kind: 'nothing' }; // it stays due
    const account = await findPayoutAccount(tx, { builderId: payout.builderId, processor });
    if (payout.status === 'failed') return retry(tx, payout, { account, nowMs });
    if (account === undefined) {
      await writeDown(tx, failPayout(payout, { atMs: nowMs, dueAtMs: null }));
      return { kind: 'moved' };
    }
    if (attempts.isProcessorAway()) return { kind: 'nothing' };
    if ((await lockPayable(tx, payout, scope)) < 0n) {
      await writeDown(tx, failPayout(payout, { atMs: nowMs, dueAtMs: nowMs })); // a failed payout is lowered (F115)
      return { kind: 'moved' };
    }
    const order = { kind: 'transfer', subjectId: payout.id, amountCents: payout.netCents, partyId: account } as const;
    return { kind: 'ordered', attempt: await attempts.begin(tx, order) };
  }

  async function retry(tx: Transaction, payout: Payout, at: RetryAt): Promise<Step> {
    if (at.account === undefined) {
      await updatePayout(tx, { ...payout, dueAtMs: null });
      return { kind: 'nothing' };
    }
    const payableMicros = await readFree(tx, await lockPayable(tx, payout, scope), {
      ...payout,
      young,
      nowMs: at.nowMs,
    });
    const retried = planRetry({ payout, payableMicros, minimumMicros, nowMs: at.nowMs });
    if (retried !== undefined) {
      await writeDown(tx, retried);
      return { kind: 'moved' };
    }
    await updatePayout(tx, { ...payout, dueAtMs: retryAtMs({ ...payout, nowMs: at.nowMs }) });
    return { kind: 'nothing' };
  }
}

interface RetryAt {
  readonly account: string | undefined;
  readonly nowMs: number;
}

/** Another run may have moved the payout since it was listed. */
async function isDue(tx: Transaction, payout: Payout, nowMs: number): Promise<boolean> {
  const hasCome = payout.dueAtMs === null ? payout.status === 'failed' : payout.dueAtMs <= nowMs;
  return hasCome && !(await hasUnsettledAttempt(tx, 'transfer', payout.id));
}

/** Applies the outcome of a transfer to its payout and the ledger. */
export async function applyTransferOutcome(tx: Transaction, attempt: Attempt, settled: AttemptResult): Promise<void> {
  const payout = await lockPayout(tx, attempt.subjectId);
  if (payout === undefined) throw new Error(`there is no payout ${attempt.subjectId} for attempt ${attempt.id}`);
  const otherTransfers = await countOtherTransfers(tx, { payoutId: payout.id, attemptId: attempt.id });
  const { status, failureCode, settledAtMs: atMs } = settled;
  const ordered = { attemptNumber: attempt.number, cents: attempt.amountCents, before: attempt.status };
  await writeDown(tx, planTransferOutcome({ payout, ...ordered, status, failureCode, atMs, otherTransfers }));
}

async function writeDown(tx: Transaction, { payout, postings }: MovedPayout): Promise<void> {
  await updatePayout(tx, payout);
  await postLedger(tx, postings);
}

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

/**
 * Reads what is payable to the payout's builder of months whose payout days have come, after the lock that a refund needs. So
 * a failed payout that refunds have lowered below the minimum goes on with the money of the next payout day.
 */
async function lockPayable(
  tx: Transaction,
  { builderId, period }: Pick<Payout, 'builderId' | 'period'>,
  scope: FeeScope,
): Promise<Micros> {
  await lockBuilderGross(tx, [{ builderId, grossKey: grossKeyOf(scope, period) }]);
  const balancesOf = await readBuilderBalances(tx, [builderId]);
  const lastDay = (await findLastPayoutDay(tx)) ?? period;
  const through = lastDay > period ? lastDay : period; // the payout day that has stored this payout may go on still
  const laterOf = await readLaterMoney(tx, { builderIds: [builderId], period: through });
  return micros(balancesOf(builderId).payableMicros - laterOf(builderId).earningMicros);
}
