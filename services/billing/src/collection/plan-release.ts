import type { Micros } from '@tollgate/kernel/money';
import { grossKeyOf, type FeeScope } from '../fees/fee.ts';
import { splitCharges, type GrossByKey } from '../fees/fee-splits.ts';

/** A line that its builder has earned. It is released when the consumer pays. */
export interface EarnedLine {
  readonly invoiceId: string;
  readonly place: number;
  readonly builderId: string;
  /** The line's period; for an adjustment the period that it adjusts. */
  readonly period: string;
  readonly chargeMicros: Micros;
}

/** A released line: charge = earning + fee. */
export interface ReleasedLine extends Omit<EarnedLine, 'period'> {
  readonly grossKey: string;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface ReleaseFacts {
  readonly scope: FeeScope;
  /** Ordered by invoice period and place: the order in which fees are taken. */
  readonly lines: readonly EarnedLine[];
  /** The gross before the release, of each builder of these lines. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

export interface ReleasePlan {
  /** In the order of the lines of the facts. */
  readonly lines: readonly ReleasedLine[];
  /** The gross after the release. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

/** Plans the release of each line, split into earning and fee by its builder's gross. */
export function planRelease({ scope, lines, gross: before }: ReleaseFacts): ReleasePlan {
  const gross = new Map(before);
  const released = new Map<EarnedLine, ReleasedLine>();
  for (const [builderId, ofBuilder] of Map.groupBy(lines, (line) => line.builderId)) {
    const split = splitCharges(ofBuilder, { scope, gross: gross.get(builderId) ?? new Map() });
    gross.set(builderId, split.gross);
    for (const [index, { earningMicros, feeMicros }] of split.splits.entries()) {
      const line = ofBuilder[index];
      if (line) released.set(line, releasedLine(line, { scope, earningMicros, feeMicros }));
    }
  }
  return { lines: lines.flatMap((line) => released.get(line) ?? []), gross };
}

interface Split {
  readonly scope: FeeScope;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

function releasedLine({ period, ...line }: EarnedLine, { scope, ...parts }: Split): ReleasedLine {
  return { ...line, ...parts, grossKey: grossKeyOf(scope, period) };
}
