import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { EarnedLine, ReleasedLine } from './plan-release.ts';

/**
 * The lines that an invoice's payment releases: its own, and those of the invoices right before it that billed nothing.
 * Their charges were carried into this invoice only.
 */
const groupText = `
select l.invoice_id, l.place, l.builder_id, coalesce(l.adjustment_of, i.period) as line_period, l.charge_micros
from billing.invoice i join billing.invoice_line l using (invoice_id)
where i.consumer_id = $1 and i.period <= $2 and i.period > coalesce(
  (select max(b.period) from billing.invoice b where b.consumer_id = $1 and b.period < $2 and b.total_cents > 0), '')
order by i.period, l.place`;

/** Reads the lines in the order in which fees are taken. */
export async function readReleaseGroup(
  tx: Transaction,
  { consumerId, period }: { readonly consumerId: string; readonly period: string },
): Promise<EarnedLine[]> {
  const rows = await tx.query<DbEarnedLine>({ name: 'billing.read_release_group', text: groupText }, [
    consumerId,
    period,
  ]);
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    place: row.place,
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

/** Stores released lines. The database refuses to release a line twice, or to change it. */
export async function insertReleasedLines(
  tx: Transaction,
  lines: readonly ReleasedLine[],
  by: { readonly invoiceId: string; readonly releasedAtMs: number },
): Promise<void> {
  const rows = lines.map((line, index) => ({
    invoice_id: line.invoiceId,
    place: line.place,
    release_place: index + 1,
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
  readonly invoice_id: string;
  readonly place: number;
  readonly builder_id: string;
  readonly line_period: string;
  readonly charge_micros: string;
}
