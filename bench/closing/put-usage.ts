import { createHash } from 'node:crypto';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import type { Database } from '@tollgate/database/database';

export const toolsPerConsumer = 10;
export const hoursPerPair = 10;
const builders = 20;
const catalogueTools = 100;

/** The id of a builder, from 0. */
export function builderOf(index: number): string {
  return createHash('md5')
    .update(`builder${index}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const toolText = `
insert into billing.tool (tool_id, owner_id, name, created_at)
select 'tool-' || n, md5('builder' || n % $2)::uuid, 'Tool ' || n, '2020-01-01Z' from generate_series(0, $1 - 1) n`;

const priceText = `
insert into billing.tool_price (price_id, tool_id, price, measures, created_at)
select md5('price' || n)::uuid, 'tool-' || n, $2, '{}', '2020-01-01Z' from generate_series(0, $1 - 1) n`;

/** A catalogue of a hundred tools of twenty builders, each at two tenths of a cent per call. */
export async function putCatalogue(owner: Database): Promise<void> {
  const model = { type: 'per_unit', unit_price_usd: '0.002' };
  const charges = [{ name: null, metric: { type: 'calls' }, model, free_quantity: '0' }];
  const price = JSON.stringify({ currency: 'usd', bill_failed_calls: false, charges });
  await owner.query(toolText, [catalogueTools, builders]);
  await owner.query(priceText, [catalogueTools, price]);
  await owner.query(`insert into usage.log_topic values ($1, 1)`, [usageEventsTopic]);
  await owner.query(`insert into usage.cursor values ($1, 0, 7, '-infinity')`, [usageEventsTopic]);
}

const monthText = `
insert into usage.rollup
select md5('consumer' || c)::uuid, 'tool-' || (c + t * 7) % $4,
  $5::timestamptz + ((c + t + h * 37) % 672) * interval '1 hour', true, 100 + h, 5000
from generate_series(1, $1) c, generate_series(1, $2) t, generate_series(1, $3) h order by 1, 2, 3`;

/** Each consumer calls ten tools in ten hours each, the same in all months: 672 hours are in the shortest. */
export async function putMonth(owner: Database, { pairs, month }: { pairs: number; month: number }): Promise<void> {
  const start = new Date(Date.UTC(2026, month - 1, 1)).toISOString();
  await owner.query(monthText, [pairs / toolsPerConsumer, toolsPerConsumer, hoursPerPair, catalogueTools, start]);
}

/** All that happened in the month is counted, and final. */
export async function putWatermark(owner: Database, month: number): Promise<void> {
  const counted = new Date(Date.UTC(2026, month, 2, 1)).toISOString();
  await owner.query('update usage.cursor set counted_through = $1', [counted]);
}
