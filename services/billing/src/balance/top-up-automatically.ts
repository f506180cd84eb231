import { isAppError } from '@tollgate/kernel/app-error';
import { nilUuid, uuidV7 } from '@tollgate/kernel/uuid';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import type { Attempt } from '../processor/attempt.ts';
import { findChargeableCustomer, isSuspended } from '../processor/sql-customers.ts';
import type { AutoTopUp, BalanceDeps } from './credit.ts';
import { noteAutoTopUpFailed } from './apply-top-up-outcome.ts';
import { findAutoTopUp, listAutoTopUps, lockAutoTopUp, raiseBalanceAlert } from './sql-auto-top-up.ts';
import { sumSpendableCents } from './sql-balance-credits.ts';
import { hasPendingAutoTopUp, insertTopUp } from './sql-top-ups.ts';

/**
 * Tops up the balances that have fallen below what their accounts set. Returns how many orders it gave. At most one per
 * account is under way, and at most so much per month is ordered, both by the database (F100). It may be stopped anywhere
 * and run twice at once. An account that fails does not hold up the others.
 */
export function createTopUpAutomatically(deps: BalanceDeps) {
  const { database, attempts, processorName: processor, readUnbilled, log, batchMax = 100 } = deps;

  const walk = createWalk<string>(batchMax);

  return async function topUpAutomatically(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let orders = 0;
    const due = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return listAutoTopUps(database, { nowMs, afterId, limit });
    });
    for await (const id of due) {
      if (attempts.isProcessorAway()) return orders;
      if (await topUp(id, nowMs)) orders += 1;
    }
    return orders;
  };

  async function topUp(accountId: string, nowMs: number): Promise<boolean> {
    try {
      if (!(await isBelow(accountId, nowMs))) return false;
      const attempt = await database.transaction((tx) => begin(tx, { accountId, nowMs }));
      if (attempt) await attempts.carryOut(attempt);
      return attempt !== undefined;
    } catch (error) {
      if (isAppError(error, 'unavailable')) return false; // another large preview is made
      log.error({ account: accountId, err: error }, 'automatic top-up failed; the next round tries again');
      return false;
    }
  }

  /** Usage is only rated where the balance alone does not decide. */
  async function isBelow(accountId: string, nowMs: number): Promise<boolean> {
    const setting = await findAutoTopUp(database, { accountId, nowMs });
    if (setting === undefined) return false;
    const leftMicros = centsToMicros((await sumSpendableCents(database, accountId, nowMs)) - setting.belowCents);
    return leftMicros < 0n || leftMicros < (await readUnbilled(accountId, nowMs));
  }

  async function begin(tx: Transaction, { accountId, nowMs }: AccountAt): Promise<Attempt | undefined> {
    const setting = await lockAutoTopUp(tx, { accountId, nowMs });
    if (setting === undefined || (setting.retryAtMs ?? 0) > nowMs) return undefined;
    if (await hasPendingAutoTopUp(tx, accountId)) return undefined; // another process was first
    if (await isSuspended(tx, accountId)) return undefined;
    if (!(await hasRoom(tx, setting, nowMs))) return undefined;
    const customer = await findChargeableCustomer(tx, { consumerId: accountId, processor });
    if (customer === undefined) {
      await noteAutoTopUpFailed(tx, { accountId, nowMs, failureCode: 'payment_method_required' });
      return undefined;
    }
    const [id, amountCents] = [uuidV7(nowMs), setting.amountCents];
    await insertTopUp(tx, { id, accountId, amountCents, createdAtMs: nowMs, isAutomatic: true });
    const { processorCustomerId: partyId, paymentMethodId } = customer;
    const order = { kind: 'charge', subjectId: id, isOfTopUp: true, amountCents, partyId, paymentMethodId } as const;
    return attempts.begin(tx, order);
  }

  /** Says whether the month has room for another one. The account gets one alert per month without room. */
  async function hasRoom(tx: Transaction, setting: AutoTopUp, nowMs: number): Promise<boolean> {
    if (setting.orderedCents + setting.amountCents <= setting.monthlyMaxCents) return true;
    const alert = { type: 'auto_top_up.limit_reached', of: setting, raisedAtMs: nowMs } as const;
    if (await raiseBalanceAlert(tx, alert))
      log.warn({ account: setting.accountId }, 'automatic top-up stopped until next month: monthly limit reached');
    return false;
  }
}

interface AccountAt {
  readonly accountId: string;
  readonly nowMs: number;
}
