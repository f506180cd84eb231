import { systemClock } from '@tollgate/kernel/clock';
import { createReadUsage } from '../../services/billing/src/usage/read-usage.ts';
import { benchMonth, makeMonthTemplate, type MonthClone } from '../closing/month-template.ts';
import { builderOf } from '../closing/put-usage.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';

const pairsDefault = 100_000;
/** A read takes some milliseconds, which one collection of garbage moves by a third. */
const readsPerRound = 20;

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

/** Reads change nothing, so one clone is enough for all rounds. */
async function openMonth({ sizes, progress }: RowContext, month: number): Promise<Side> {
  const pairs = sizes.pairs ?? pairsDefault;
  progress(`making month ${month}, with all months before it`);
  const template = await makeMonthTemplate({ pairs, month });
  const query = { accountId: builderOf(0), role: 'builder', granularity: 'day', groupBy: new Set<never>() } as const;
  let clone: MonthClone | undefined;
  return {
    processes: template.processes,
    async prepare() {
      clone ??= await template.clone();
    },
    async measure() {
      if (clone === undefined) throw new Error('the round was not prepared');
      const readUsage = createReadUsage({ database: clone.api, scope: 'lifetime' });
      const startedMs = systemClock.monotonicMs();
      for (let at = 0; at < readsPerRound; at += 1) {
        const { totals } = await readUsage({ ...query, ...benchMonth(month) });
        if (totals.calls === 0n) throw new Error('the builder has no usage');
      }
      const value = (systemClock.monotonicMs() - startedMs) / 1_000 / readsPerRound;
      return { events: pairs * readsPerRound, value };
    },
    close: template.close,
  };
}
