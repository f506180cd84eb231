import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction, Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { type FeeBearer, grossKeyOf, type FeeScope } from '../fees/fee.ts';
import { paidPosting, type ReleasedSum, restorePosting } from './charge-postings.ts';
import { feeSharePosting, planFeeShares } from './plan-fee-shares.ts';
import { planRelease } from './plan-release.ts';
import { listPayingCharges } from '../processor/sql-attempts.ts';
import { insertFeeShares, insertReleasedLines, readReleaseGroup, sumReleaseGroup } from './sql-released-lines.ts';
import { lockBuilderGross, setBuilderGross, type GrossByBuilder } from '../fees/sql-builder-gross.ts';
import { type LockedInvoice, setInvoiceStatus } from '../invoicing/sql-invoices.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { setBalancePart, type WantedPart } from '../balance/set-balance-part.ts';
import { chargeCentsMax } from '../processor/processor.ts';
import type { Attempts } from '../processor/create-attempts.ts';

export interface PaymentTerms {
  readonly scope: FeeScope;
  /** The bearer of the processor's fees on the charges that pay an invoice. */
  readonly feeBearer: FeeBearer;
}

export interface Payment extends PaymentTerms {
  readonly paidAtMs: number;
  /** The part of the total that this charge paid. Earlier charges and the balance have paid the rest. */
  readonly chargedCents: bigint;
}

/**
 * Marks a locked invoice as paid and releases its lines to the builders, less the fee. If the invoice was written off,
 * its lines are restored first.
 */
export async function payInvoice(tx: Transaction, invoice: LockedInvoice, payment: Payment): Promise<void> {
  const { id, consumerId, partPaidCents } = invoice;
  const { scope, feeBearer, paidAtMs, chargedCents } = payment;
  const earned = await sumReleaseGroup(tx, invoice);
  const gross = await lockBuilderGross(
    tx,
    earned.map(({ builderId, period }) => ({ builderId, grossKey: grossKeyOf(scope, period) })),
  );
  await setInvoiceStatus(tx, id, { status: 'paid', paidAtMs });
  const released = await releaseLines(tx, invoice, { ...payment, gross });
  const restored = { invoiceId: id, consumerId, lines: earned, occurredAtMs: paidAtMs };
  await postLedger(tx, [
    ...(invoice.status === 'uncollectible' ? [restorePosting(restored)] : []),
    paidPosting({ id, consumerId, chargedCents, partPaidCents, paidAtMs }, released),
  ]);
  if (feeBearer === 'builder') await shareFees(tx, { invoiceId: id, released, sharedAtMs: paidAtMs });
}

interface FeesToShare {
  readonly invoiceId: string;
  readonly released: readonly ReleasedSum[];
  readonly sharedAtMs: number;
}

/** Takes the processor's fees on the charges of an invoice from the builders whom it has just paid. */
async function shareFees(tx: Transaction, { invoiceId, released, sharedAtMs }: FeesToShare): Promise<void> {
  for (const { attemptId, feeCents } of await listPayingCharges(tx, invoiceId)) {
    const shares = planFeeShares({ feeMicros: centsToMicros(feeCents), released });
    if (shares.length === 0) continue;
    await insertFeeShares(tx, shares, { attemptId, sharedAtMs });
    await postLedger(tx, [feeSharePosting({ attemptId, occurredAtMs: sharedAtMs }, shares)]);
  }
}

/** Releases the lines in parts, each with the gross that the one before left. Returns the sums by builder. */
async function releaseLines(
  tx: Transaction,
  invoice: LockedInvoice,
  { scope, paidAtMs, gross: before }: Payment & { readonly gross: GrossByBuilder },
): Promise<ReleasedSum[]> {
  const sums = new Map<string, ReleasedSum>();
  let gross = before;
  let afterPlace = 0;
  for await (const lines of readReleaseGroup(tx, invoice)) {
    const plan = planRelease({ scope, lines, gross });
    await insertReleasedLines(tx, plan.lines, { invoiceId: invoice.id, releasedAtMs: paidAtMs, afterPlace });
    for (const line of plan.lines) sums.set(line.builderId, addReleased(sums.get(line.builderId), line));
    afterPlace += plan.lines.length;
    gross = plan.gross;
  }
  await setBuilderGross(tx, gross);
  return [...sums.values()];
}

function addReleased(sum: ReleasedSum | undefined, line: ReleasedSum): ReleasedSum {
  const { builderId, chargeMicros, earningMicros, feeMicros } = line;
  return {
    builderId,
    chargeMicros: micros((sum?.chargeMicros ?? 0n) + chargeMicros),
    earningMicros: micros((sum?.earningMicros ?? 0n) + earningMicros),
    feeMicros: micros((sum?.feeMicros ?? 0n) + feeMicros),
  };
}

/**
 * Lets the consumer's balance pay as much of a locked invoice as it can. Returns what is left for the card, or as much of it
 * as one charge may have. If nothing is left, the invoice is paid.
 */
export async function payFromBalance(
  tx: Transaction,
  invoice: LockedInvoice,
  { nowMs, ...terms }: PaymentTerms & { readonly nowMs: number },
): Promise<bigint> {
  const dueCents = invoice.totalCents - invoice.partPaidCents;
  const leftCents = dueCents - (await takeBalance(tx, invoice, { cents: dueCents, nowMs }));
  if (leftCents === 0n) await payInvoice(tx, invoice, { ...terms, paidAtMs: nowMs, chargedCents: 0n });
  return leftCents < chargeCentsMax ? leftCents : chargeCentsMax;
}

/**
 * Lets the balance pay these cents of a locked invoice, or as many as it has. Returns how many. The lines of an uncollectible
 * invoice are out of the ledger, so the balance pays all of them or nothing.
 */
export function takeBalance(tx: Transaction, invoice: LockedInvoice, wanted: WantedPart): Promise<bigint> {
  return setBalancePart(tx, invoice, { ...wanted, isWhole: invoice.status === 'uncollectible' });
}

/** The edges of collection: one value, of which each verb takes its part. */
export interface CollectionDeps {
  readonly database: Database;
  /** Reads what the lists of the operator show. */
  readonly worker: Database;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut' | 'isProcessorAway'>;
  /** The processor whose customers are charged. */
  readonly processorName: string;
  readonly terms: PaymentTerms;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly batchMax?: number;
  /** How many orders are given at once; each waits for its own answer only. */
  readonly atOnce?: number | undefined;
  /** An invoice above this waits for the operator. */
  readonly maxCents: bigint;
}
