import { micros, type Micros, zeroMicros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { UsageSpan } from './usage-row.ts';

/** The money of one charge of one price version in one month, over all consumers. */
export interface ChargeSum {
  readonly period: string;
  readonly toolId: string;
  readonly priceId: string;
  /** The place of the charge in its price, from 0. */
  readonly chargeIndex: number;
  readonly name: string | null;
  /** Below 0 where late calls reached a cheaper volume tier. */
  readonly chargeMicros: Micros;
}

/** Adds up charges, and subtracts what is billed of them. */
export function createChargeSums() {
  const sums = new Map<string, ChargeSum>();

  function change({ period, toolId, priceId, chargeIndex, name }: ChargeSum, byMicros: bigint): void {
    const key = [period, toolId, priceId, chargeIndex].join(' ');
    const before = sums.get(key)?.chargeMicros ?? zeroMicros;
    sums.set(key, { period, toolId, priceId, chargeIndex, name, chargeMicros: micros(before + byMicros) });
  }

  return {
    add: (charge: ChargeSum): void => change(charge, charge.chargeMicros),
    subtract: (charge: ChargeSum): void => change(charge, zeroMicros - charge.chargeMicros),
    /** Without charges of 0, ordered by month, tool, price version and charge. */
    list: (): ChargeSum[] =>
      [...sums]
        .filter(([, { chargeMicros }]) => chargeMicros !== 0n)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([, sum]) => sum),
  };
}

const monthsText = 'select consumer_id, period from billing.unbilled_month order by consumer_id, period';

/** Closed months of consumers whose calls of the account's own tools are not all on invoices, one span each. */
export async function listUnbilledMonths(tx: Transaction): Promise<UsageSpan[]> {
  const rows = await tx.query<{ consumer_id: string; period: string }>({
    name: 'billing.list_unbilled_months',
    text: monthsText,
  });
  return rows.map(({ consumer_id: consumerId, period }) => ({ consumerId, firstPeriod: period, lastPeriod: period }));
}

export interface DbChargeSum {
  readonly period: string;
  readonly tool_id: string;
  readonly price_id: string;
  readonly charge_index: number;
  readonly name: string | null;
  readonly charge_micros: string;
}

const sumText = (from: string): string => `
select l.period, l.tool_id, l.price_id, l.charge_index, min(l.name) as name, sum(l.charge_micros) as charge_micros
from ${from}
group by l.period, l.tool_id, l.price_id, l.charge_index`;

const ofText = sumText(
  'unnest($1::uuid[], $2::text[]) as s (consumer_id, period) join billing.billed_line l using (consumer_id, period)',
);

/** Sums the lines of invoices for the account's own tools and these months, which are single ones. */
export async function sumBilledOf(tx: Transaction, months: readonly UsageSpan[]): Promise<ChargeSum[]> {
  const values = [months.map(({ consumerId }) => consumerId), months.map(({ firstPeriod }) => firstPeriod)];
  const rows = await tx.query<DbChargeSum>({ name: 'billing.sum_billed_of', text: ofText }, values);
  return rows.map(fromDbChargeSum);
}

const sinceText = sumText(
  `billing.billed_line l where l.invoice_period > coalesce($1, '') and l.period > coalesce($1, '')`,
);

/** Sums the lines of invoices for the account's own tools and open months: a close stores them before the month is closed. */
export async function sumBilledSince(tx: Transaction, lastClosed: string | null): Promise<ChargeSum[]> {
  const rows = await tx.query<DbChargeSum>({ name: 'billing.sum_billed_since', text: sinceText }, [lastClosed]);
  return rows.map(fromDbChargeSum);
}

export function fromDbChargeSum(row: DbChargeSum): ChargeSum {
  return {
    period: row.period,
    toolId: row.tool_id,
    priceId: row.price_id,
    chargeIndex: row.charge_index,
    name: row.name,
    chargeMicros: micros(BigInt(row.charge_micros)),
  };
}

const grossText = `
select period, gross_micros from billing.billed_gross
where builder_id = $1 and period < $2 and period <= (select max(period) from billing.closed_period)`;

/** The charges on invoices for the builder's tools, by closed month of the calls, before `beforePeriod`. */
export async function readBilledGross(
  tx: Transaction,
  { builderId, beforePeriod }: { readonly builderId: string; readonly beforePeriod: string },
): Promise<ReadonlyMap<string, Micros>> {
  const rows = await tx.query<{ period: string; gross_micros: string }>(
    { name: 'billing.read_billed_gross', text: grossText },
    [builderId, beforePeriod],
  );
  return new Map(rows.map((row) => [row.period, micros(BigInt(row.gross_micros))]));
}
