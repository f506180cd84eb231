import { sumMicros } from '@tollgate/kernel/money';
import type { UsageMoney } from './usage-money.ts';
import type { UsageRole } from './usage-query.ts';

/** Made of the rows, as the totals of the counts are. */
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
