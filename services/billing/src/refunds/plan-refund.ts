import { micros, type Micros } from '@tollgate/kernel/money';
import { splitCharge } from '../fees/fee-split.ts';
import type { GrossByKey } from '../fees/fee-splits.ts';
import { movingEntries } from '../ledger/moving-entries.ts';
import type { LedgerEntry } from '../ledger/ledger-posting.ts';
import { splitRefund } from './split-refund.ts';

/** A line whose money was collected, and what earlier refunds have left of its charge. */
export interface RefundableLine {
  readonly invoiceId: string;
  readonly place: number;
  readonly builderId: string;
  readonly grossKey: string;
  readonly leftMicros: Micros;
}

/** What a refund takes back of a line: amounts above zero, charge = earning + fee. */
export interface RefundedLine extends Omit<RefundableLine, 'leftMicros'> {
  readonly chargeMicros: Micros;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface RefundPlan {
  readonly lines: readonly RefundedLine[];
  /** Of each builder that gives something back, all keys of its gross, as they are afterwards. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
  readonly entries: readonly LedgerEntry[];
}

export interface RefundFacts {
  readonly amountMicros: Micros;
  /** In the order in which they were released. */
  readonly lines: readonly RefundableLine[];
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

/** Who gives what back, line by line: the builder its earning, the platform its fee, `rounding` what no line has left. */
export function planRefund({ amountMicros, lines, gross: before }: RefundFacts): RefundPlan {
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
    if (!byKey || grossMicros === undefined) throw new Error(`the gross of builder ${line.builderId} is not known`);
    const back = splitCharge({ grossMicros, chargeMicros: micros(0n - chargeMicros) });
    byKey.set(line.grossKey, back.grossMicros);
    return [
      { ...line, chargeMicros, earningMicros: micros(0n - back.earningMicros), feeMicros: micros(0n - back.feeMicros) },
    ];
  });
  return { lines: refunded, gross, entries: entriesOf(refunded, { amountMicros, excessMicros: split.excessMicros }) };
}

interface RefundSums {
  readonly amountMicros: Micros;
  readonly excessMicros: Micros;
}

function entriesOf(lines: readonly RefundedLine[], { amountMicros, excessMicros }: RefundSums): LedgerEntry[] {
  const ofLines = lines.flatMap(({ builderId, earningMicros, feeMicros }): LedgerEntry[] => [
    { kind: 'builder_payable', ownerId: builderId, amountMicros: earningMicros },
    { kind: 'platform_fees', ownerId: null, amountMicros: feeMicros },
  ]);
  return movingEntries([
    ...ofLines,
    { kind: 'rounding', ownerId: null, amountMicros: excessMicros },
    { kind: 'cash', ownerId: null, amountMicros: micros(0n - amountMicros) },
  ]);
}
