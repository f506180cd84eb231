import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd } from '@tollgate/kernel/money';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import type { Refund, RefundsDeps, StrayMoney } from './refund.ts';
import { findRefund, insertRefund } from './sql-refunds.ts';
import { listStrayMoney } from './sql-stray-money.ts';
import { listOpenDisputes } from './sql-disputes.ts';

export interface StrayReturnOrdered {
  readonly attemptId: string;
  readonly by: Actor;
}

/**
 * Gives all that is left of stray money back to its consumer, on the operator's order: rounding to cash. It is a refund
 * that no line gives. Throws `not_found`, `nothing_stray` if nothing is left, or `charge_disputed`.
 */
export function createReturnStrayMoney({ database, processor, clock, attempts }: RefundsDeps) {
  const listDisputedCharges = createListDisputedCharges({ database, processor });

  return async function returnStrayMoney({ attemptId, by }: StrayReturnOrdered): Promise<Refund> {
    const id = uuidV7(clock.now());
    const { invoiceId } = await findStray(database, attemptId);
    const disputed = await listDisputedCharges(invoiceId);
    const attempt = await database.transaction(async (tx) => {
      const stray = await lockStray(tx, attemptId);
      if (stray.leftCents <= 0n)
        throw new AppError('nothing_stray', 'All of this money was given back, or is on its way.');
      if (disputed.includes(stray.chargeObjectId)) throw chargeDisputed(0n);
      await recordReturn(tx, { id, stray, by });
      return begin(tx, id, stray);
    });
    await attempts.carryOutAll([attempt]);
    const refund = await findRefund(database, id);
    if (!refund) throw new Error(`refund ${id} does not exist after it was ordered`);
    return refund;
  };

  async function begin(tx: Transaction, id: string, stray: StrayMoney) {
    const { attemptId: strayAttemptId, invoiceId, leftCents: amountCents, chargeObjectId: partyId } = stray;
    const state = { cause: 'operator', status: 'pending', failureCode: null, succeededAtMs: null } as const;
    await insertRefund(
      tx,
      { id, invoiceId, amountCents, createdAtMs: clock.now(), ...state },
      { strayAttemptId, chargeObjectId: partyId },
    );
    return attempts.begin(tx, { kind: 'refund', subjectId: id, amountCents, partyId });
  }
}

async function findStray(db: Queryable, attemptId: string): Promise<StrayMoney> {
  const [found] = await listStrayMoney(db, attemptId);
  if (found === undefined) throw new AppError('not_found', `There is no stray money of order ${attemptId}.`);
  return found;
}

/** Locks the invoice of stray money, as all refunds do, and reads what is left. */
async function lockStray(tx: Transaction, attemptId: string): Promise<StrayMoney> {
  const found = await findStray(tx, attemptId);
  await lockInvoice(tx, found.invoiceId);
  const [stray = found] = await listStrayMoney(tx, attemptId);
  return stray;
}

interface Returned {
  readonly id: string;
  readonly stray: StrayMoney;
  readonly by: Actor;
}

async function recordReturn(tx: Transaction, { id, stray, by }: Returned): Promise<void> {
  const detail = { amount_usd: formatUsd(centsToMicros(stray.leftCents)), refund_id: id, attempt_id: stray.attemptId };
  const object = { kind: 'invoice', id: stray.invoiceId };
  await recordAct(tx, by, { action: 'stray_money.returned', accountId: stray.consumerId, object, detail });
}

/**
 * Lists the charges of an invoice of which the processor refunds nothing: it has withdrawn their money, and the dispute is not
 * decided (F270). The dispute is read again, since it names the charge. An inquiry withdraws nothing, and a refund may end it.
 */
export function createListDisputedCharges({ database, processor }: Pick<RefundsDeps, 'database' | 'processor'>) {
  return async function listDisputedCharges(invoiceId: string): Promise<readonly string[]> {
    const ids = await listOpenDisputes(database, { processor: processor.name, invoiceId });
    const disputes = await Promise.all(ids.map((id) => processor.disputes.read(id)));
    return disputes.filter(({ status }) => status === 'open').map(({ chargeObjectId }) => chargeObjectId);
  };
}

/** So much can be refunded although a charge is disputed. */
export function chargeDisputed(freeCents: bigint): AppError {
  const free = formatUsd(centsToMicros(freeCents));
  const until =
    freeCents > 0n ? `Until then at most ${free} USD can be refunded.` : 'The refund has to wait until then.';
  const message = `A charge is disputed, and the processor refunds nothing of it before that is decided. ${until}`;
  const errors = [{ pointer: '/amount_usd', code: 'disputed', message: `must be at most ${free} until then` }];
  return new AppError('charge_disputed', message, { errors });
}
