import { systemClock } from '@tollgate/kernel/clock';
import { periodOf } from '@tollgate/kernel/period';
import { createListPayouts, type PayoutReadingDeps } from '../../services/billing/src/payouts/list-payouts.ts';
import { createReadBillingAccount } from '../../services/billing/src/payouts/read-billing-account.ts';
import { createReadPendingBalance } from '../../services/billing/src/payouts/read-pending-balance.ts';
import { createReadStatement } from '../../services/billing/src/payouts/read-statement.ts';
import { benchMonth, makeMonthTemplate, type MonthClone } from '../closing/month-template.ts';
import { builderOf } from '../closing/put-usage.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';

const pairsDefault = 100_000;
const readsPerRound = 20;

interface Variant {
  readonly id: string;
  readonly what: string;
  /** Makes a read of the builder's, after so many months were paid out. */
  readonly open: (reading: PayoutReadingDeps, builderId: string, months: number) => () => Promise<void>;
}

const variants: readonly Variant[] = [
  { id: 'R10d', what: 'account and list of payouts', open: openAccountAndPayouts },
  { id: 'R10e', what: 'statement of the last month', open: openStatement },
];

/** A builder's reads of its money after twelve months of invoices and payouts, and in an open month, against one such month. */
export const builderMoneyRows: readonly Row[] = variants.map(({ id, what, open }) =>
  defineRow({
    id,
    ours: `seconds to read a builder's ${what}, 12 months of ${pairsDefault} (consumer, tool) pairs paid out, and one open`,
    ceiling: 'the same, 1 month paid out, and one open',
    unit: 's',
    figure: 'value',
    isHigherBetter: false,
    goal: { of: 'ratio', bound: { atMost: 1.2 } },
    isComparable: false,
    fullSize: { pairs: pairsDefault },
    openOurs: (context) => openReads(context, 12, open),
    openCeiling: (context) => openReads(context, 1, open),
  }),
);

async function openReads(context: RowContext, paidOut: number, open: Variant['open']): Promise<Side> {
  const { sizes, isProfiled, progress } = context;
  const pairs = sizes.pairs ?? pairsDefault;
  const month = paidOut + 1;
  progress(`closing, collecting and paying out ${paidOut} of ${month} months`);
  const template = await makeMonthTemplate({ isProfiled, pairs, month, arePaidOut: true });
  let clone: MonthClone | undefined;
  return {
    processes: template.processes,
    statementsUrl: template.statementsUrl,
    async prepare() {
      clone ??= await template.clone();
    },
    async measure() {
      if (clone === undefined) throw new Error('the round was not prepared');
      const nowMs = benchMonth(month).toMs - 1;
      const read = open({ database: clone.api, scope: 'lifetime', nowMs: () => nowMs }, builderOf(0), paidOut);
      const startedMs = systemClock.monotonicMs();
      for (let at = 0; at < readsPerRound; at += 1) await read();
      const value = (systemClock.monotonicMs() - startedMs) / 1_000 / readsPerRound;
      return { events: readsPerRound, value };
    },
    close: template.close,
  };
}

function openAccountAndPayouts(reading: PayoutReadingDeps, builderId: string, months: number) {
  const { database: api } = reading;
  const readPendingBalance = createReadPendingBalance(reading);
  const readAccount = createReadBillingAccount({ api, processor: { name: 'sandbox' }, readPendingBalance });
  const listPayouts = createListPayouts(reading);
  return async () => {
    const { pendingBalanceMicros, isPayoutEnabled } = await readAccount(builderId);
    if (!isPayoutEnabled || pendingBalanceMicros <= 0n) throw new Error('the open month has earned nothing');
    const { total } = await listPayouts({ builderId, limit: 50 });
    if (total !== months + 1) throw new Error(`there are ${total} payouts, not ${months} and one that is pending`);
  };
}

function openStatement(reading: PayoutReadingDeps, builderId: string, months: number) {
  const readStatement = createReadStatement(reading);
  const period = periodOf(benchMonth(months).fromMs);
  return async () => {
    const { lines } = await readStatement({ builderId, period });
    if (lines.length === 0) throw new Error(`the statement of ${period} is empty`);
  };
}
