import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { sumEarned, type Earned, type EarnedSums } from './earned.ts';

/** A line of a statement: the earning of one charge of one price version on one day. */
export interface StatementLine extends Earned {
  /**
   * 'YYYY-MM-DD' in UTC. Null for amounts without a day: adjustments, refunds, and calls counted after the month was
   * billed.
   */
  readonly day: string | null;
}

/** The charge of one day's calls, rated as usage rows are. */
export interface DayCharge {
  readonly day: string;
  readonly chargeMicros: Micros;
}

/**
 * Divides the money of a charge among the days of its calls. The fees up to a day's end are the fee in proportion to
 * the charges up to then. A day's fee is the difference to the day before. So the days add up to the charge, to the
 * micro-dollar.
 */
export function toStatementLines(earned: Earned, days: readonly DayCharge[]): StatementLine[] {
  const dated = days.filter(({ chargeMicros }) => chargeMicros !== 0n).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  if (earned.by !== 'usage' || earned.chargeMicros === 0n) return [{ ...earned, day: null }];
  let charged = 0n;
  let feesBefore: bigint = zeroMicros;
  const lines = dated.map(({ day, chargeMicros }): StatementLine => {
    charged += chargeMicros;
    const fees = (earned.feeMicros * charged) / earned.chargeMicros;
    const feeMicros = micros(fees - feesBefore);
    feesBefore = fees;
    return { ...earned, day, chargeMicros, feeMicros, earningMicros: micros(chargeMicros - feeMicros) };
  });
  const rest = subtract(earned, sumEarned(lines));
  const isWhole = rest.chargeMicros === 0n && rest.feeMicros === 0n;
  return isWhole ? lines : [...lines, { ...earned, ...rest, day: null }];
}

function subtract(from: EarnedSums, amount: EarnedSums): EarnedSums {
  return {
    chargeMicros: micros(from.chargeMicros - amount.chargeMicros),
    earningMicros: micros(from.earningMicros - amount.earningMicros),
    feeMicros: micros(from.feeMicros - amount.feeMicros),
  };
}
