import { randomUUID } from 'node:crypto';
import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { uuidV8 } from '@tollgate/kernel/uuid';

export interface ManyTools {
  readonly builderId: string;
  /** Tools are named `<prefix>-000001`, and so on. */
  readonly prefix: string;
  readonly tools: number;
}

const charge = `jsonb_build_object('name', null, 'metric', '{"type":"calls"}'::jsonb, 'free_quantity', '0',
  'model', '{"type":"per_unit","unit_price_usd":"0.01"}'::jsonb)`;
const price = `jsonb_build_object('currency', 'usd', 'bill_failed_calls', false,
  'charges', (select jsonb_agg(${charge}) from generate_series(1, 8)))`;
const named = `(select $1 || '-' || lpad(n::text, 6, '0') as tool_id from generate_series(1, $2::int) n) named`;

/** Registers tools, each with a price of eight charges of a cent per call. */
export async function putManyTools(owner: Database, { builderId, prefix, tools }: ManyTools): Promise<void> {
  await owner.query(
    `insert into billing.tool (tool_id, owner_id, name, created_at) select tool_id, $3, tool_id, '2020-01-01Z' from ${named}`,
    [prefix, tools, builderId],
  );
  await owner.query(
    `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
     select gen_random_uuid(), tool_id, null, ${price}, '{}', '2020-01-01Z' from ${named}`,
    [prefix, tools],
  );
}

export interface LargeInvoice {
  readonly consumerId: string;
  readonly builderId: string;
  readonly period: string;
  readonly tools: number;
  /** Each line is a cent. */
  readonly linesPerTool: number;
  readonly issuedAtMs: number;
}

/** Stores an open invoice with its lines, as a close would. Returns its id. */
export async function putLargeInvoice(owner: Database, invoice: LargeInvoice): Promise<string> {
  const { consumerId, builderId, period, tools, linesPerTool, issuedAtMs } = invoice;
  const prefix = `large-${randomUUID().slice(0, 8)}`;
  await putManyTools(owner, { builderId, prefix, tools });
  const id = uuidV8('invoice', consumerId, period);
  await owner.transaction(async (tx) => {
    await tx.query(
      `insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
         carried_out_micros, issued_at, due_at)
       select $1, coalesce(max(number), 0) + 1, $2, $3, 'open', $4::bigint * 10000, 0, $4, 0, $5::timestamptz, $5::timestamptz + interval '14 days'
       from billing.invoice`,
      [id, consumerId, period, tools * linesPerTool, toIso(issuedAtMs)],
    );
    await tx.query(
      `insert into billing.invoice_line (invoice_id, place, tool_id, price_id, charge_index, builder_id, name, quantity, unit, charge_micros)
       select $1, row_number() over (order by p.tool_id, c), p.tool_id, p.price_id, c, $2, 'each call', 1, 'calls', 10000
       from billing.tool_price p cross join generate_series(0, $4::int - 1) c where p.tool_id like $3 || '-%'`,
      [id, builderId, prefix, linesPerTool],
    );
  });
  return id;
}
