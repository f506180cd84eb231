import { sumMicros } from '@tollgate/kernel/money';
import type { UsageMoney } from './usage-money.ts';
import type { UsageRole } from './usage-query.ts';

/** Made of the rows, as the totals of the counts are. */
export function totalMoney(rows: readonly UsageMoney[], role: UsageRole): UsageMoney {
  const chargeMicros = sumMicros(rows.map((row) => row.chargeMicros));
  if (role === 'consumer') return { chargeMicros };
  const parts = rows.flatMap(({ parted }) => parted ?? []);
  return {
    chargeMicros,
    parted: {
      earningMicros: sumMicros(parts.map(({ earningMicros }) => earningMicros)),
      feeMicros: sumMicros(parts.map(({ feeMicros }) => feeMicros)),
    },
  };
}
