import type { Micros } from '@tollgate/kernel/money';
import { grossKeyOf, type FeeScope } from '../fees/fee-scope.ts';
import { splitCharges, type GrossByKey } from '../fees/fee-splits.ts';

/** A line whose charge the builder has earned, and gets once the consumer has paid. */
export interface EarnedLine {
  readonly invoiceId: string;
  readonly place: number;
  readonly builderId: string;
  /** The line's: of an adjustment the one that it names. */
  readonly period: string;
  readonly chargeMicros: Micros;
}

/** charge = earning + fee. */
export interface ReleasedLine extends Omit<EarnedLine, 'period'> {
  readonly grossKey: string;
  readonly earningMicros: Micros;
  readonly feeMicros: Micros;
}

export interface ReleaseFacts {
  readonly scope: FeeScope;
  /** In the order in which fees are taken: that of invoice period and place. */
  readonly lines: readonly EarnedLine[];
  /** Of each builder of these lines. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

export interface ReleasePlan {
  /** Each at its line's place. */
  readonly lines: readonly ReleasedLine[];
  /** Afterwards. */
  readonly gross: ReadonlyMap<string, GrossByKey>;
}

/** What a payment releases: each line whole, split by what its builder's gross has come to. */
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
