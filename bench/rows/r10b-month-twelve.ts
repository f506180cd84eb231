import { makeMonthTemplate, type MonthTemplate } from '../closing/month-template.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';

const pairsDefault = 100_000;

/** The same close after eleven months of the same usage, each closed, against the first. */
export const monthTwelveRow = defineRow({
  id: 'R10b',
  ours: `seconds to close month 12 of constant usage, ${pairsDefault} (consumer, tool) pairs per month`,
  ceiling: 'seconds to close month 1',
  unit: 's',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 1.2 } },
  isComparable: false,
  fullSize: { pairs: pairsDefault },
  openOurs: (context) => openMonth(context, 12),
  openCeiling: (context) => openMonth(context, 1),
});

async function openMonth({ sizes, progress }: RowContext, month: number): Promise<Side> {
  const pairs = sizes.pairs ?? pairsDefault;
  progress(`making month ${month}, with all months before it`);
  const template: MonthTemplate = await makeMonthTemplate({ pairs, month });
  let closeMonth: (() => Promise<number>) | undefined;
  return {
    processes: template.processes,
    async prepare() {
      closeMonth = (await template.clone()).closeMonth;
    },
    async measure() {
      if (closeMonth === undefined) throw new Error('the round was not prepared');
      return { events: pairs, value: await closeMonth() };
    },
    close: template.close,
  };
}
