import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { type Transaction, onlyRow } from '@tollgate/database/database';
import type { BuilderBalances } from './plan-payout.ts';
import { noRemainder, type MonthMoney, type Remainder } from './payout.ts';

const none: BuilderBalances = {
  payableMicros: zeroMicros,
  inTransitMicros: zeroMicros,
  failedNetCents: 0n,
  feeCents: 0n,
};

/**
 * One statement, so that all sums come from one snapshot. A payout that fails meanwhile would move its net from one sum
 * to another.
 */
const text = `
select b.builder_id, l.payable, l.in_transit, p.failed_net, p.fee
from unnest($1::uuid[]) as b (builder_id)
cross join lateral (
  select coalesce(-sum(balance_micros) filter (where kind = 'builder_payable'), 0) as payable,
    coalesce(-sum(balance_micros) filter (where kind = 'in_transit'), 0) as in_transit
  from billing.ledger_account where owner_id = b.builder_id and kind in ('builder_payable', 'in_transit')
) as l
cross join lateral (
  select coalesce(sum(net_cents) filter (where status = 'failed'), 0) as failed_net, coalesce(sum(fee_cents), 0) as fee
  from billing.payout where builder_id = b.builder_id
) as p`;

export async function readBuilderBalances(
  tx: Transaction,
  builderIds: readonly string[],
): Promise<(builderId: string) => BuilderBalances> {
  const rows = await tx.query<Row>({ name: 'billing.read_builder_balances', text }, [builderIds]);
  const byBuilder = new Map(rows.map((row) => [row.builder_id, fromRow(row)]));
  return (builderId) => byBuilder.get(builderId) ?? none;
}

interface Row {
  readonly builder_id: string;
  readonly payable: string;
  readonly in_transit: string;
  readonly failed_net: string;
  readonly fee: string;
}

function fromRow(row: Row): BuilderBalances {
  return {
    payableMicros: micros(BigInt(row.payable)),
    inTransitMicros: micros(BigInt(row.in_transit)),
    failedNetCents: BigInt(row.failed_net),
    feeCents: BigInt(row.fee),
  };
}

export interface HoldRow {
  readonly firstEarnedAtMs: number | null;
  readonly disputedMicros: Micros;
  /** The net of payouts that are scheduled or paid. */
  readonly paidOutMicros: Micros;
}

const noHold: HoldRow = { firstEarnedAtMs: null, disputedMicros: zeroMicros, paidOutMicros: zeroMicros };

// Each part reads an index of the builder.
const readHoldsText = `
select b.builder_id,
  (select min(released_at) from billing.released_line r where r.builder_id = b.builder_id) as first_earned_at,
  (select coalesce(sum(h.earning_micros), 0)::text from billing.dispute_hold h join billing.dispute d using (dispute_id)
   where h.builder_id = b.builder_id and d.status = 'open') as disputed,
  (select coalesce(sum(p.net_cents), 0)::text from billing.payout p
   where p.builder_id = b.builder_id and p.status in ('scheduled', 'paid')) as paid_out
from unnest($1::uuid[]) as b (builder_id)`;

/** Reads what decides how much of the builders' money stays. The gross of the builders must be locked. */
export async function readHolds(tx: Transaction, builderIds: readonly string[]): Promise<(id: string) => HoldRow> {
  const rows = await tx.query<DbHold>({ name: 'billing.read_payout_holds', text: readHoldsText }, [builderIds]);
  const byBuilder = new Map(rows.map((row) => [row.builder_id, fromHoldRow(row)]));
  return (builderId) => byBuilder.get(builderId) ?? noHold;
}

interface DbHold {
  readonly builder_id: string;
  readonly first_earned_at: Date | null;
  readonly disputed: string;
  readonly paid_out: string;
}

function fromHoldRow(row: DbHold): HoldRow {
  return {
    firstEarnedAtMs: row.first_earned_at?.getTime() ?? null,
    disputedMicros: micros(BigInt(row.disputed)),
    paidOutMicros: micros(BigInt(row.paid_out) * 10_000n),
  };
}

export interface MoneyProgress {
  readonly firstClosed: string | null;
  readonly lastClosed: string | null;
  readonly lastPayoutDay: string | null;
}

const readMoneyProgressText = `
select (select max(period) from billing.closed_period) as last_closed,
  (select min(period) from billing.closed_period) as first_closed,
  (select max(period) from billing.payout_day) as last_payout_day`;

export async function readMoneyProgress(tx: Transaction): Promise<MoneyProgress> {
  const row = onlyRow(
    await tx.query<ProgressRow>({ name: 'billing.read_money_progress', text: readMoneyProgressText }),
  );
  return { firstClosed: row.first_closed, lastClosed: row.last_closed, lastPayoutDay: row.last_payout_day };
}

interface ProgressRow {
  readonly first_closed: string | null;
  readonly last_closed: string | null;
  readonly last_payout_day: string | null;
}

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
