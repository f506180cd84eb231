import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { sumEarned, type Earned, type EarnedSums } from './earned.ts';

/** A line of a statement: what one charge of one price version earned on one day. */
export interface StatementLine extends Earned {
  /** 'YYYY-MM-DD'. Null for what is of no one day: adjustments, refunds, and what was counted for the month since. */
  readonly day: string | null;
}

/** What the calls of one day came to, by the marginal rating that usage rows show. */
export interface DayCharge {
  readonly day: string;
  readonly chargeMicros: Micros;
}

/**
 * Parts what was earned by calls into days. Earning and fee of a day are what the charges up to its end come to of the
 * whole, less what those before it came to: so the days add up to the micro-dollar.
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

function subtract(from: EarnedSums, what: EarnedSums): EarnedSums {
  return {
    chargeMicros: micros(from.chargeMicros - what.chargeMicros),
    earningMicros: micros(from.earningMicros - what.earningMicros),
    feeMicros: micros(from.feeMicros - what.feeMicros),
  };
}
