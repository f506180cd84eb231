import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { noRemainder, type MonthMoney, type Remainder } from './payout.ts';

// Where the days of payouts come in time, no later month is closed, and nothing is looked for.
const hasLaterMonth = 'exists (select from billing.closed_period c where c.period > $2)';

const laterText = `
select builder_id, sum(earning_micros)::text as earning, sum(fee_micros)::text as fee from billing.unpaid_earning
where builder_id = any ($1::uuid[]) and period > $2 and ${hasLaterMonth}
group by builder_id`;

/**
 * Reads what is collected of each builder's months after this one, and in no payout: it waits for the payout days of those
 * months (F269). The gross of the builders must be locked.
 */
export async function readLaterMoney(
  tx: Transaction,
  { builderIds, period }: { readonly builderIds: readonly string[]; readonly period: string },
): Promise<(builderId: string) => Remainder> {
  const statement = { name: 'billing.read_later_money', text: laterText };
  const rows = await tx.query<Sums & { readonly builder_id: string }>(statement, [builderIds, period]);
  const byBuilder = new Map(rows.map((row) => [row.builder_id, fromSums(row)]));
  return (builderId) => byBuilder.get(builderId) ?? noRemainder;
}

const ownText = `
select period, sum(earning_micros)::text as earning, sum(fee_micros)::text as fee from billing.own_unpaid_earning
where builder_id = $1 and period > $2 and ${hasLaterMonth}
group by period order by period`;

/** Reads the same for the builder who asks, by month. */
export async function readOwnLaterMoney(tx: Transaction, builderId: string, period: string): Promise<MonthMoney[]> {
  const statement = { name: 'billing.read_own_later_money', text: ownText };
  const rows = await tx.query<Sums & { readonly period: string }>(statement, [builderId, period]);
  return rows.map((row) => ({ period: row.period, ...fromSums(row) }));
}

interface Sums {
  readonly earning: string;
  readonly fee: string;
}

function fromSums({ earning, fee }: Sums): Remainder {
  return { earningMicros: micros(BigInt(earning)), feeMicros: micros(BigInt(fee)) };
}
