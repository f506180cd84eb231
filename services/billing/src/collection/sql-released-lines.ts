import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { EarnedLine, ReleasedLine } from './plan-release.ts';
import type { FeeShare } from './plan-fee-shares.ts';

/** The invoice that is paid or written off. */
export interface ReleasedBy {
  readonly consumerId: string;
  readonly period: string;
}

/**
 * The invoices whose lines a payment releases: its own, and those right before it that billed nothing. Their charges were
 * carried into this invoice only.
 */
const group = `billing.invoice i
where i.consumer_id = $1 and i.period <= $2 and i.period > coalesce(
  (select max(b.period) from billing.invoice b where b.consumer_id = $1 and b.period < $2 and b.total_cents > 0), '')`;

const invoicesText = `select i.invoice_id, i.period from ${group} order by i.period`;

const linesText = `
select l.place, l.builder_id, coalesce(l.adjustment_of, $2) as line_period, l.charge_micros
from billing.invoice_line l where l.invoice_id = $1 and l.place > $3 and l.place <= $3 + $4 order by l.place`;

const partLines = 2_000;

/** Yields the lines in the order in which fees are taken, some thousand at a time. */
export async function* readReleaseGroup(
  tx: Transaction,
  { consumerId, period }: ReleasedBy,
): AsyncGenerator<EarnedLine[]> {
  const invoices = await tx.query<{ invoice_id: string; period: string }>(
    { name: 'billing.read_release_invoices', text: invoicesText },
    [consumerId, period],
  );
  for (const { invoice_id: invoiceId, period: invoicePeriod } of invoices) {
    for (let afterPlace = 0; ; afterPlace += partLines) {
      const values = [invoiceId, invoicePeriod, afterPlace, partLines];
      const rows = await tx.query<DbEarnedLine>({ name: 'billing.read_earned_lines', text: linesText }, values);
      if (rows.length > 0) yield rows.map((row) => fromDbEarnedLine(row, invoiceId));
      if (rows.length < partLines) break;
    }
  }
}

function fromDbEarnedLine(row: DbEarnedLine, invoiceId: string): EarnedLine {
  return {
    invoiceId,
    place: row.place,
    builderId: row.builder_id,
    period: row.line_period,
    chargeMicros: micros(BigInt(row.charge_micros)),
  };
}

const sumsText = `
select l.builder_id, coalesce(l.adjustment_of, i.period) as line_period, sum(l.charge_micros) as charge_micros
from (select * from ${group}) i join billing.invoice_line l using (invoice_id)
group by 1, 2 order by 1, 2`;

/** The lines of a release group for one builder and period, added up. */
export type EarnedSum = Pick<EarnedLine, 'builderId' | 'period' | 'chargeMicros'>;

export async function sumReleaseGroup(tx: Transaction, { consumerId, period }: ReleasedBy): Promise<EarnedSum[]> {
  const rows = await tx.query<Omit<DbEarnedLine, 'place'>>({ name: 'billing.sum_release_group', text: sumsText }, [
    consumerId,
    period,
  ]);
  return rows.map((row) => ({
    builderId: row.builder_id,
    period: row.line_period,
    chargeMicros: micros(BigInt(row.charge_micros)),
  }));
}

const insertText = `
insert into billing.released_line (invoice_id, place, released_by, release_place, builder_id, gross_key, charge_micros,
  earning_micros, fee_micros, released_at)
select t.invoice_id, t.place, $1, t.release_place, t.builder_id, t.gross_key, t.charge_micros, t.earning_micros,
  t.fee_micros, $2
from jsonb_to_recordset($3::jsonb) as t (invoice_id uuid, place integer, release_place integer, builder_id uuid,
  gross_key text, charge_micros numeric, earning_micros numeric, fee_micros numeric)`;

/** Stores released lines, after those that the invoice has released before. The database refuses to release a line twice, or to change it. */
export async function insertReleasedLines(
  tx: Transaction,
  lines: readonly ReleasedLine[],
  by: { readonly invoiceId: string; readonly releasedAtMs: number; readonly afterPlace: number },
): Promise<void> {
  const rows = lines.map((line, index) => ({
    invoice_id: line.invoiceId,
    place: line.place,
    release_place: by.afterPlace + index + 1,
    builder_id: line.builderId,
    gross_key: line.grossKey,
    charge_micros: String(line.chargeMicros),
    earning_micros: String(line.earningMicros),
    fee_micros: String(line.feeMicros),
  }));
  const values = [by.invoiceId, toIso(by.releasedAtMs), JSON.stringify(rows)];
  await tx.query({ name: 'billing.insert_released_lines', text: insertText }, values);
}

interface DbEarnedLine {
  readonly place: number;
  readonly builder_id: string;
  readonly line_period: string;
  readonly charge_micros: string;
}

const insertFeeSharesText = `
insert into billing.processor_fee_share (attempt_id, builder_id, amount_micros, shared_at)
select $1, t.builder_id, t.amount_micros, $4 from unnest($2::uuid[], $3::numeric[]) as t (builder_id, amount_micros)`;

/** Stores the shares of builders in the fee on a charge. The builders' gross must be locked, as for a release. */
export async function insertFeeShares(
  tx: Transaction,
  shares: readonly FeeShare[],
  { attemptId, sharedAtMs }: { readonly attemptId: string; readonly sharedAtMs: number },
): Promise<void> {
  const builderIds = shares.map(({ builderId }) => builderId);
  const amounts = shares.map(({ amountMicros }) => String(amountMicros));
  await tx.query({ name: 'billing.insert_fee_shares', text: insertFeeSharesText }, [
    attemptId,
    builderIds,
    amounts,
    toIso(sharedAtMs),
  ]);
}
