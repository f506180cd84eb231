import { periodOf } from '@tollgate/kernel/period';
import { createListPayouts, type PayoutReadingDeps } from '../../services/billing/src/payouts/list-payouts.ts';
import { createReadBillingAccount } from '../../services/billing/src/payouts/read-billing-account.ts';
import { createReadPendingBalance } from '../../services/billing/src/payouts/read-pending-balance.ts';
import { createReadStatement } from '../../services/billing/src/payouts/read-statement.ts';
import { openMonthReads } from '../closing/month-reads.ts';
import { benchMonth } from '../closing/month-template.ts';
import { builderOf } from '../closing/put-usage.ts';
import { defineRow, type Row, type RowContext, type Side } from '../row.ts';

const pairsDefault = 100_000;

interface Variant {
  readonly id: string;
  readonly what: string;
  /** Reads what is a builder's, after so many months were paid out. */
  readonly read: (reading: PayoutReadingDeps, builderId: string, months: number) => Promise<void>;
}

const variants: readonly Variant[] = [
  { id: 'R10d', what: 'account and list of payouts', read: readAccountAndPayouts },
  { id: 'R10e', what: 'statement of the last month', read: readLastStatement },
];

/** A builder's reads of its money after twelve months of invoices and payouts, and in an open month, against one such month. */
export const builderMoneyRows: readonly Row[] = variants.map(({ id, what, read }) =>
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
    openOurs: (context) => openReads(context, 12, read),
    openCeiling: (context) => openReads(context, 1, read),
  }),
);

async function openReads(context: RowContext, paidOut: number, read: Variant['read']): Promise<Side> {
  const { sizes, progress } = context;
  const month = paidOut + 1;
  progress(`closing, collecting and paying out ${paidOut} of ${month} months`);
  return openMonthReads(context, {
    pairs: sizes.pairs ?? pairsDefault,
    month,
    arePaidOut: true,
    eventsPerRead: 1,
    read: (database) => {
      const nowMs = benchMonth(month).toMs - 1;
      return read({ database, scope: 'lifetime', nowMs: () => nowMs }, builderOf(0), paidOut);
    },
  });
}

async function readAccountAndPayouts(reading: PayoutReadingDeps, builderId: string, months: number): Promise<void> {
  const { database: api } = reading;
  const readPendingBalance = createReadPendingBalance(reading);
  const readAccount = createReadBillingAccount({ api, processor: { name: 'sandbox' }, readPendingBalance });
  const { pendingBalanceMicros, isPayoutEnabled } = await readAccount(builderId);
  if (!isPayoutEnabled || pendingBalanceMicros <= 0n) throw new Error('the open month has earned nothing');
  const { total } = await createListPayouts(reading)({ builderId, limit: 50 });
  if (total !== months + 1) throw new Error(`there are ${total} payouts, not ${months} and one that is pending`);
}

async function readLastStatement(reading: PayoutReadingDeps, builderId: string, months: number): Promise<void> {
  const period = periodOf(benchMonth(months).fromMs);
  const { lines } = await createReadStatement(reading)({ builderId, period });
  if (lines.length === 0) throw new Error(`the statement of ${period} is empty`);
}
