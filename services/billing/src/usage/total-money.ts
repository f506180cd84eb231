import { sumMicros } from '@tollgate/kernel/money';
import type { UsageMoney } from './usage-money.ts';
import type { UsageRole } from './usage-query.ts';

/** Adds up the money of the rows, so that the rows of an answer always add up to its totals. */
export function totalMoney(rows: readonly UsageMoney[], role: UsageRole): UsageMoney {
  const chargeMicros = sumMicros(rows.map((row) => row.chargeMicros));
  if (role === 'consumer') return { chargeMicros };
  const splits = rows.flatMap(({ split }) => split ?? []);
  return {
    chargeMicros,
    split: {
      earningMicros: sumMicros(splits.map(({ earningMicros }) => earningMicros)),
      feeMicros: sumMicros(splits.map(({ feeMicros }) => feeMicros)),
    },
  };
}
