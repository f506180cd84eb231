import { unreachable } from '@tollgate/kernel/unreachable';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Transaction } from '@tollgate/database/database';
import { neverArrivedCode, type Attempt } from '../processor/attempt.ts';
import { afterDecline } from './after-decline.ts';
import { chargeFeePosting } from '../ledger/ledger-posting.ts';
import { strayChargePosting, strayChargeReturnedPosting } from './charge-postings.ts';
import { isCollectable, setCollectAt, waitForConsumer } from './sql-collectable-invoices.ts';
import { nextCollectionMs } from './collection-schedule.ts';
import type { AttemptResult } from '../processor/sql-attempts.ts';
import { hasPosting, postLedger } from '../ledger/sql-ledger.ts';
import { lockInvoice, type LockedInvoice } from '../invoicing/sql-invoices.ts';
import { keepPart } from './part-payments.ts';
import { takeBalance, payInvoice, type PaymentTerms } from './pay-invoice.ts';
import type { ApplyOutcome } from '../processor/settle-attempt.ts';

export interface ApplyChargeDeps extends PaymentTerms {
  readonly log: Logger;
}

/** Applies the outcome of a charge to its invoice and the ledger. */
export function createApplyChargeOutcome({ log, ...terms }: ApplyChargeDeps): ApplyOutcome {
  return async function applyChargeOutcome(tx, attempt, settled) {
    const invoice = await lockInvoice(tx, attempt.subjectId);
    if (invoice === undefined) throw new Error(`there is no invoice ${attempt.subjectId} to charge for`);
    switch (settled.status) {
      case 'failed':
        return tryLater(tx, invoice, settled);
      case 'succeeded':
        return takeMoney(tx, { attempt, invoice, settled });
      case 'reversed':
        return giveUpMoney(tx, { attempt, invoice, settled });
      default:
        return unreachable(settled.status);
    }
  };

  /** Less than is due pays a part. A written off invoice may also have lost the part that its consumer's balance had paid. */
  async function takeMoney(tx: Transaction, charge: SettledCharge): Promise<void> {
    const { attempt, invoice, settled } = charge;
    const restCents = invoice.totalCents - invoice.partPaidCents - attempt.amountCents;
    const nowMs = settled.settledAtMs;
    if (!isCollectable(invoice.status) || restCents < 0n) await keepStray(tx, charge);
    else if ((await takeBalance(tx, invoice, { cents: restCents, nowMs })) < restCents)
      await keepPart(tx, invoice, moneyOf(charge));
    else await payInvoice(tx, invoice, { ...terms, paidAtMs: nowMs, chargedCents: attempt.amountCents });
    await payFee(tx, charge);
  }

  /**
   * A charge that paid its invoice was reversed by a refund or a dispute, which have postings of their own. Only a
   * stray charge is posted back here.
   */
  async function giveUpMoney(tx: Transaction, charge: SettledCharge): Promise<void> {
    const { attempt } = charge;
    if (attempt.status !== 'succeeded') {
      await keepStray(tx, charge); // it succeeded and was reversed before we knew
      await payFee(tx, charge);
    }
    const money = moneyOf(charge);
    const isStray = await hasPosting(tx, strayChargePosting(money).businessKey);
    if (isStray) await postLedger(tx, [strayChargeReturnedPosting(money)]);
  }

  async function keepStray(tx: Transaction, charge: SettledCharge): Promise<void> {
    const { attempt, invoice, settled } = charge;
    log.error(
      { attempt: attempt.id, object: settled.objectId, invoice: invoice.id, status: invoice.status },
      'a charge succeeded for an invoice that needs no payment; its money stays in `rounding` until it is refunded',
    );
    await postLedger(tx, [strayChargePosting(moneyOf(charge))]);
  }
}

interface SettledCharge {
  readonly attempt: Attempt;
  readonly invoice: LockedInvoice;
  readonly settled: AttemptResult;
}

function moneyOf({ attempt, settled }: SettledCharge) {
  return { attemptId: attempt.id, cents: attempt.amountCents, occurredAtMs: settled.settledAtMs };
}

async function payFee(tx: Transaction, charge: SettledCharge): Promise<void> {
  const { feeCents } = charge.settled;
  if (feeCents !== 0n) await postLedger(tx, [chargeFeePosting({ ...moneyOf(charge), cents: feeCents })]);
}

/**
 * Sets when the invoice is charged again, or what it waits for. An order that never arrived was not declined, so it is
 * given again at once. Nothing is set if a new payment method has already made the invoice due.
 */
async function tryLater(tx: Transaction, invoice: LockedInvoice, settled: AttemptResult): Promise<void> {
  if (!isCollectable(invoice.status) || invoice.collectAtMs !== null) return;
  const { failureCode, settledAtMs } = settled;
  if (failureCode === neverArrivedCode) return setCollectAt(tx, invoice.id, settledAtMs);
  const after = afterDecline(failureCode);
  const nextMs = after === 'try_later' ? nextCollectionMs(invoice.issuedAtMs, settledAtMs) : null;
  if (nextMs !== null) return setCollectAt(tx, invoice.id, nextMs);
  return waitForConsumer(tx, invoice.id, after === 'authentication' ? after : 'payment_method');
}
