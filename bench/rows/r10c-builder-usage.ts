import { createReadUsage } from '../../services/billing/src/usage/read-usage.ts';
import { openMonthReads } from '../closing/month-reads.ts';
import { benchMonth } from '../closing/month-template.ts';
import { builderOf } from '../closing/put-usage.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';

const pairsDefault = 100_000;

/** A builder's usage of the open month after eleven closed months, against that of the first month. */
export const builderUsageRow = defineRow({
  id: 'R10c',
  ours: `seconds to read a builder's usage of open month 12 by the day, ${pairsDefault} (consumer, tool) pairs per month`,
  ceiling: "seconds to read a builder's usage of month 1",
  unit: 's',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 1.2 } },
  isComparable: false,
  fullSize: { pairs: pairsDefault },
  openOurs: (context) => openMonth(context, 12),
  openCeiling: (context) => openMonth(context, 1),
});

async function openMonth(context: RowContext, month: number): Promise<Side> {
  const { sizes, progress } = context;
  const pairs = sizes.pairs ?? pairsDefault;
  progress(`making month ${month}, with all months before it`);
  const query = { accountId: builderOf(0), role: 'builder', granularity: 'day', groupBy: new Set<never>() } as const;
  return openMonthReads(context, {
    pairs,
    month,
    eventsPerRead: pairs,
    async read(database) {
      const readUsage = createReadUsage({ database, scope: 'lifetime' });
      const { totals } = await readUsage({ ...query, ...benchMonth(month) });
      if (totals.calls === 0n) throw new Error('the builder has no usage');
    },
  });
}
