import { micros, sumMicros, type Micros } from '@tollgate/kernel/money';
import { splitCharge, type GrossByKey } from '../fees/fee-splits.ts';
import { movingEntries, type LedgerEntry } from '../ledger/ledger-posting.ts';
import { splitRefund } from './split-refund.ts';

/** A released line, with the part of its charge that earlier refunds have left. */
export interface RefundableLine {
  readonly invoiceId: string;
  readonly place: number;
  readonly builderId: string;
  readonly grossKey: string;
  readonly leftMicros: Micros;
}

/** The part of a line that a refund takes back. Amounts are above zero; charge = earning + fee. */
export interface RefundedLine extends Omit<RefundableLine, 'leftMicros'> {
  readonly chargeMicros: Micros;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface RefundPlan {
  readonly lines: readonly RefundedLine[];
  /** The gross after the refund, with all keys, of each builder that gives something back. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
  readonly entries: readonly LedgerEntry[];
}

export interface RefundFacts {
  readonly amountMicros: Micros;
  /** The part of it that goes back to a consumer's balance. */
  readonly toBalance?: BalancePart | undefined;
  /** In the order of their release. */
  readonly lines: readonly RefundableLine[];
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

export interface BalancePart {
  readonly consumerId: string;
  readonly balanceMicros: Micros;
}

/**
 * Plans who gives back how much, per line: the builder its earning, the platform its fee. `rounding` pays what the
 * lines cannot.
 */
export function planRefund({ amountMicros, toBalance, lines, gross: before }: RefundFacts): RefundPlan {
  const split = splitRefund(
    amountMicros,
    lines.map(({ leftMicros }) => leftMicros),
  );
  const gross = new Map([...before].map(([builderId, byKey]) => [builderId, new Map(byKey)]));
  const refunded = lines.flatMap(({ leftMicros: _left, ...line }, index): RefundedLine[] => {
    const chargeMicros = split.shares[index] ?? micros(0n);
    if (chargeMicros === 0n) return [];
    const byKey = gross.get(line.builderId);
    const grossMicros = byKey?.get(line.grossKey);
    if (!byKey || grossMicros === undefined) throw new Error(`the facts have no gross of builder ${line.builderId}`);
    const back = splitCharge({ grossMicros, chargeMicros: micros(0n - chargeMicros) });
    byKey.set(line.grossKey, back.grossMicros);
    return [
      { ...line, chargeMicros, earningMicros: micros(0n - back.earningMicros), feeMicros: micros(0n - back.feeMicros) },
    ];
  });
  return {
    lines: refunded,
    gross,
    entries: refundEntries(refunded, { amountMicros, toBalance, excessMicros: split.excessMicros }),
  };
}

interface RefundSums {
  readonly amountMicros: Micros;
  readonly toBalance?: BalancePart | undefined;
  readonly excessMicros: Micros;
}

/** The entries of a refund: its lines, the part that no line pays, the consumer's balance, and cash. */
export function refundEntries(
  lines: readonly RefundedLine[],
  { amountMicros, toBalance, excessMicros }: RefundSums,
): LedgerEntry[] {
  const balanceMicros = toBalance?.balanceMicros ?? 0n;
  const earnings = new Map<string, bigint>();
  for (const { builderId, earningMicros } of lines)
    earnings.set(builderId, (earnings.get(builderId) ?? 0n) + earningMicros);
  const ofBuilders = [...earnings].map(([ownerId, earned]): LedgerEntry => {
    return { kind: 'builder_payable', ownerId, amountMicros: micros(earned) };
  });
  return movingEntries([
    ...ofBuilders,
    { kind: 'platform_fees', ownerId: null, amountMicros: sumMicros(lines.map(({ feeMicros }) => feeMicros)) },
    { kind: 'rounding', ownerId: null, amountMicros: excessMicros },
    { kind: 'consumer_balance', ownerId: toBalance?.consumerId ?? null, amountMicros: micros(0n - balanceMicros) },
    { kind: 'cash', ownerId: null, amountMicros: micros(balanceMicros - amountMicros) },
  ]);
}
