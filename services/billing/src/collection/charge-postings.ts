import { micros, sumMicros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import {
  type ChargedMoney,
  type LedgerPosting,
  type LedgerEntry,
  moveCents,
  type LedgerAccount,
  movingEntries,
} from '../ledger/ledger-posting.ts';
import type { ReleasedLine, EarnedLine } from './plan-release.ts';

interface PartMoney extends ChargedMoney {
  readonly consumerId: string;
}

/** A charge paid a part of an invoice. Its money waits until the last charge has paid the rest. */
export function partPaidPosting({ consumerId, ...charged }: PartMoney): LedgerPosting {
  return move(charged, {
    key: 'part-paid',
    debit: { kind: 'cash' },
    credit: { kind: 'part_paid', ownerId: consumerId },
  });
}

/** The money of a part whose invoice is paid in another way, or never: it is stray money from then on. */
export function partStrayPosting({ consumerId, ...charged }: PartMoney): LedgerPosting {
  const debit = { kind: 'part_paid', ownerId: consumerId } as const;
  return move(charged, { key: 'stray-charge', debit, credit: { kind: 'rounding' } });
}

/** The money of a stray charge: its invoice needs no payment. It has no owner until the operator refunds it. */
export function strayChargePosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge', debit: { kind: 'cash' }, credit: { kind: 'rounding' } });
}

/** The money of a stray charge went back to the consumer. */
export function strayChargeReturnedPosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge-returned', debit: { kind: 'rounding' }, credit: { kind: 'cash' } });
}

interface Move {
  readonly key: string;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
}

function move({ attemptId, ...money }: ChargedMoney, { key, ...accounts }: Move): LedgerPosting {
  return moveCents({ ...money, businessKey: `${key}:${attemptId}`, ...accounts });
}

export interface PaidInvoice {
  readonly id: string;
  readonly consumerId: string;
  /** The part that the last charge paid. The balance paid the rest, in postings of its own. */
  readonly chargedCents: bigint;
  /** The part that earlier charges paid, which has waited for this. */
  readonly partPaidCents: bigint;
  readonly paidAtMs: number;
}

/** The released lines of one builder, added up: charge = earning + fee. */
export type ReleasedSum = Pick<ReleasedLine, 'builderId' | 'chargeMicros' | 'earningMicros' | 'feeMicros'>;

/**
 * The posting for a paid invoice: cash and what waited to receivable. The charges of released lines move from builder_earned to
 * builder_payable, and their fees to platform_fees.
 */
export function paidPosting(
  { id, consumerId, chargedCents, partPaidCents, paidAtMs }: PaidInvoice,
  released: readonly ReleasedSum[],
) {
  const [charged, waited] = [centsToMicros(chargedCents), centsToMicros(partPaidCents)];
  const entries: LedgerEntry[] = [
    { kind: 'cash', ownerId: null, amountMicros: charged },
    { kind: 'part_paid', ownerId: consumerId, amountMicros: waited },
    { kind: 'receivable', ownerId: consumerId, amountMicros: micros(0n - charged - waited) },
    ...released.flatMap(releaseEntries),
  ];
  return { businessKey: `paid:${id}`, occurredAtMs: paidAtMs, entries: movingEntries(entries) } satisfies LedgerPosting;
}

function releaseEntries({ builderId, chargeMicros, earningMicros, feeMicros }: ReleasedSum): LedgerEntry[] {
  return [
    { kind: 'builder_earned', ownerId: builderId, amountMicros: chargeMicros },
    { kind: 'builder_payable', ownerId: builderId, amountMicros: micros(0n - earningMicros) },
    { kind: 'platform_fees', ownerId: null, amountMicros: micros(0n - feeMicros) },
  ];
}

export interface WriteOff {
  readonly invoiceId: string;
  readonly consumerId: string;
  /** The lines that a payment of the invoice would release, or their sums. */
  readonly lines: readonly Pick<EarnedLine, 'builderId' | 'chargeMicros'>[];
  readonly occurredAtMs: number;
}

/** The posting that writes off an invoice: builder_earned to receivable, the mirror of its lines' closes. */
export function writeOffPosting({ invoiceId, consumerId, lines, occurredAtMs }: WriteOff): LedgerPosting {
  const charged = sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
  const entries: LedgerEntry[] = [
    ...lines.map((line) => earned(line)),
    { kind: 'receivable', ownerId: consumerId, amountMicros: micros(0n - charged) },
  ];
  return { businessKey: `written-off:${invoiceId}`, occurredAtMs, entries: movingEntries(entries) };
}

/** The posting that restores a written off invoice, because it is paid after all. */
export function restorePosting(writeOff: WriteOff): LedgerPosting {
  const entries = writeOffPosting(writeOff).entries.map((entry): LedgerEntry => ({
    ...entry,
    amountMicros: micros(0n - entry.amountMicros),
  }));
  return { businessKey: `restored:${writeOff.invoiceId}`, occurredAtMs: writeOff.occurredAtMs, entries };
}

function earned({ builderId, chargeMicros }: WriteOff['lines'][number]): LedgerEntry {
  return { kind: 'builder_earned', ownerId: builderId, amountMicros: chargeMicros };
}
