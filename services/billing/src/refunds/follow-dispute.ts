import type { Clock } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database, Transaction } from '@tollgate/database/database';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import {
  addDispute,
  closeDispute,
  lockDispute,
  setDisputeMoney,
  type LockedDispute,
  hasDisputeHold,
  insertDisputeHolds,
} from './sql-disputes.ts';
import { lockTopUp } from '../balance/sql-top-ups.ts';
import { giveTopUpBack, takeTopUpBack } from '../balance/take-top-up-back.ts';
import { findStrayToGiveBack, type ChargeOfInvoice } from '../collection/part-payments.ts';
import { findStrayCharge, findSubjectOfCharge, type ChargeSubject } from '../collection/sql-charges.ts';
import { lockInvoice } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { Refund } from './refund.ts';
import { insertRefund, readRefundableLines } from './sql-refunds.ts';
import { applyRefund, applyReinstatement } from './apply-refund.ts';
import type { Processor, ProcessorDispute } from '../processor/processor.ts';
import { lockBuilderGross } from '../fees/sql-builder-gross.ts';
import { planRefund } from './plan-refund.ts';
import { type LedgerPosting, moveCents } from '../ledger/ledger-posting.ts';

export interface FollowDisputeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Pick<Processor, 'name' | 'disputes'>;
}

/**
 * Reads a dispute at the processor and applies its state. The processor takes the money of a lost dispute, so that is
 * stored as a refund that nobody ordered. While it is open, the shares of its builders are set aside (F149). If such a dispute is won after all, the refund is undone (F123). The fee of
 * the processor is posted too, and the money that it withdraws stands in the account `disputed` until it is decided (F223). A dispute of a charge that is not ours is ignored.
 *
 * Notices come in any order (F62, F63). So a state that changes a closed dispute, or money that is booked, is read again
 * under the lock.
 */
export function createFollowDispute({ database, clock, log, processor }: FollowDisputeDeps) {
  return async function followDispute(disputeObjectId: string): Promise<void> {
    const dispute = await processor.disputes.read(disputeObjectId);
    const charge = { processor: processor.name, objectId: dispute.chargeObjectId };
    const subject = await findSubjectOfCharge(database, charge);
    if (subject === undefined) {
      log.warn({ dispute: disputeObjectId }, 'ignored a dispute of a charge that is not ours');
      return;
    }
    await database.transaction((tx) => follow(tx, dispute, subject));
  };

  async function follow(tx: Transaction, read: ProcessorDispute, subject: ChargeSubject): Promise<void> {
    const id = uuidV8('dispute', processor.name, read.objectId);
    await (subject.kind === 'invoice' ? lockInvoice : lockTopUp)(tx, subject.id);
    await addDispute(tx, { id, processor: processor.name, subject }, read);
    const known = await lockDispute(tx, id);
    const changesClosed = known.status !== 'open' && known.status !== read.status;
    const changesMoney = known.isFeeRead && (known.feeCents !== read.feeCents || known.takenCents !== read.takenCents);
    const dispute = changesClosed || changesMoney ? await processor.disputes.read(read.objectId) : read;
    await followMoney(tx, { known, dispute, nowMs: clock.now() });
    await setAside(tx, { dispute, known, subject });
    if (dispute.status === known.status || dispute.status === 'open') return;
    const { status } = dispute;
    const facts = { dispute, known, subject };
    const refundId = status === 'lost' ? await takeBack(tx, facts) : await giveBack(tx, facts);
    await closeDispute(tx, id, { status, refundId, closedAtMs: clock.now() });
  }

  /**
   * Sets shares aside while the dispute is open. A stray charge paid no builder, so nothing of it is. Nor did a top-up: its
   * credit is not spent meanwhile.
   */
  async function setAside(tx: Transaction, { dispute, known, subject }: KnownDispute): Promise<void> {
    const { amountCents, chargeObjectId, status } = dispute;
    if (status !== 'open' || known.status !== 'open' || subject.kind === 'top_up') return;
    if ((await findStrayCharge(tx, { processor: processor.name, objectId: chargeObjectId })) !== null) return;
    await holdDispute(tx, { disputeId: known.id, invoiceId: subject.id, amountCents });
  }

  async function takeBack(tx: Transaction, { dispute, known, subject }: KnownDispute): Promise<string> {
    const { amountCents, chargeObjectId } = dispute;
    // A dispute that is lost again is another refund.
    const refundId = uuidV8('refund', 'dispute', known.refundId ?? known.id);
    const nowMs = clock.now();
    if (subject.kind === 'top_up') {
      const topUp = await lockTopUp(tx, subject.id);
      await takeTopUpBack(tx, log, { id: refundId, topUp, amountCents, cause: 'dispute', nowMs });
      return refundId;
    }
    const charge = { processor: processor.name, objectId: chargeObjectId, invoiceId: subject.id, nowMs };
    await refundLost(tx, charge, { id: refundId, amountCents });
    return refundId;
  }

  /** Undoes the refund of a dispute that was lost before. Returns that refund; null if the dispute was won at once. */
  async function giveBack(tx: Transaction, { known: { refundId }, subject }: KnownDispute): Promise<string | null> {
    if (refundId === null) return null;
    const id = uuidV8('refund', 'reinstated', refundId);
    const nowMs = clock.now();
    if (subject.kind === 'top_up') await giveTopUpBack(tx, { id, refundId, nowMs });
    else await applyReinstatement(tx, { id, refundId, reinstatedAtMs: nowMs });
    return refundId;
  }
}

/** Books a refund that nobody ordered: the bank has taken it from a charge of an invoice. */
async function refundLost(tx: Transaction, charge: ChargeOfInvoice, refund: Pick<Refund, 'id' | 'amountCents'>) {
  const { invoiceId, objectId: chargeObjectId, nowMs } = charge;
  const state = { cause: 'dispute', status: 'succeeded', failureCode: null } as const;
  const at = { createdAtMs: nowMs, succeededAtMs: nowMs };
  const strayAttemptId = await findStrayToGiveBack(tx, charge);
  await insertRefund(tx, { ...refund, invoiceId, ...state, ...at }, { strayAttemptId, chargeObjectId });
  await applyRefund(tx, { ...refund, invoiceId, appliedAtMs: nowMs, strayAttemptId });
}

interface KnownDispute {
  readonly dispute: ProcessorDispute;
  readonly known: LockedDispute;
  /** Locked. */
  readonly subject: ChargeSubject;
}

interface DisputeMoved extends Pick<KnownDispute, 'known' | 'dispute'> {
  readonly nowMs: number;
}

/**
 * Follows what the processor took for the dispute, and posts what its fee and the money that it holds changed by. Of a lost
 * dispute it holds nothing: it has taken that money for good.
 */
async function followMoney(tx: Transaction, { known, dispute, nowMs }: DisputeMoved): Promise<void> {
  const { takenCents, feeCents } = dispute;
  const heldCents = dispute.status === 'lost' ? 0n : takenCents;
  const [fee, held] = [feeCents - known.feeCents, heldCents - known.heldCents];
  if (known.isFeeRead && fee === 0n && held === 0n && takenCents === known.takenCents) return;
  const feePostings = known.feePostings + (fee === 0n ? 0 : 1);
  const heldPostings = known.heldPostings + (held === 0n ? 0 : 1);
  await setDisputeMoney(tx, known.id, { takenCents, feeCents, feePostings, heldCents, heldPostings });
  const of = { disputeId: known.id, occurredAtMs: nowMs };
  await postLedger(tx, [
    ...(held === 0n ? [] : [disputeHeldPosting({ ...of, place: heldPostings, cents: held })]),
    ...(fee === 0n ? [] : [disputeFeePosting({ ...of, place: feePostings, cents: fee })]),
  ]);
}

export interface DisputeToHold {
  readonly disputeId: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
}

/**
 * Sets aside what each builder would give back if the dispute were lost now, so that no payout takes it meanwhile. A
 * dispute has its shares once. The invoice must be locked; the builders' gross is, as for a payout, so that a payout sees
 * either the shares or comes before them.
 */
async function holdDispute(tx: Transaction, { disputeId, invoiceId, amountCents }: DisputeToHold) {
  if (await hasDisputeHold(tx, disputeId)) return;
  const lines = await readRefundableLines(tx, invoiceId);
  const gross = await lockBuilderGross(tx, lines);
  const plan = planRefund({ amountMicros: centsToMicros(amountCents), lines, gross });
  const shares = plan.entries.flatMap(({ kind, ownerId, amountMicros }) =>
    kind === 'builder_payable' && ownerId !== null && amountMicros > 0n ? [{ builderId: ownerId, amountMicros }] : [],
  );
  await insertDisputeHolds(tx, disputeId, shares);
}

/**
 * The processor withdrew money for a dispute: cash to disputed. Below zero: it gave it back, or it took it for good, which
 * is a refund with a posting of its own.
 */
function disputeHeldPosting({ disputeId, place, cents, occurredAtMs }: DisputeFee): LedgerPosting {
  const [disputed, cash] = [{ kind: 'disputed' }, { kind: 'cash' }] as const;
  const accounts = cents > 0n ? { debit: disputed, credit: cash } : { debit: cash, credit: disputed };
  const businessKey = `dispute-held:${disputeId}:${place}`;
  return moveCents({ businessKey, occurredAtMs, cents: cents > 0n ? cents : -cents, ...accounts });
}

interface DisputeFee {
  readonly disputeId: string;
  /** 1 for the dispute's first posting, 2 for its second, and so on. */
  readonly place: number;
  /** Below zero if the processor gave the fee back. Never zero. */
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** The processor's fee on a dispute, or a change of it. */
function disputeFeePosting({ disputeId, place, cents, occurredAtMs }: DisputeFee): LedgerPosting {
  const [fees, cash] = [{ kind: 'processor_fees' }, { kind: 'cash' }] as const;
  const accounts = cents > 0n ? { debit: fees, credit: cash } : { debit: cash, credit: fees };
  const businessKey = `dispute-fee:${disputeId}:${place}`;
  return moveCents({ businessKey, occurredAtMs, cents: cents > 0n ? cents : -cents, ...accounts });
}
