import { plant, type PlantedRow } from './plant-sql.ts';
import { consumer, otherBuilder, otherConsumer } from './reconciled-month.ts';

const ofInvoice = (change: string) => `update billing.invoice set ${change} where consumer_id = '${consumer}'`;
const ofLine = (change: string) => `update billing.invoice_line set ${change} where charge_micros = 4500000`;
const anInvoice = `(select invoice_id from billing.invoice where consumer_id = '${consumer}')`;

/** Differences in usage, and in invoices with their periods. */
export const usageRows: readonly PlantedRow[] = [
  plant('an event without its rollup', /events_rollups: search/)`
    update usage.rollup set calls = calls - 1 where consumer_id = '${consumer}'`,
  plant('an event that was removed', /events_rollups: search/)`
    delete from usage.event where event_id = (select event_id from usage.event limit 1)`,
  plant('usage that was removed', /rollups_lines: .*billed and not counted/)`
    delete from usage.rollup where consumer_id = '${consumer}'; delete from usage.event where consumer_id = '${consumer}'`,
  plant('usage that was invented', /rollups_lines: .*counted and not billed/)`
    insert into usage.rollup values ('${otherBuilder}', 'search', '2024-01-21Z', true, 9, 9)`,
];

const ofKeys = (change: string) => `update usage.event_key set ${change} where consumer_id = '${otherConsumer}'`;

/** Differences in keys of events. */
export const keyRows: readonly PlantedRow[] = [
  plant('a key that was removed', /events_keys: event .* of 1000000b.*: its key was removed/)`
    delete from usage.event_key where event_id = (select event_id from usage.event where idempotency_key = 'call 3')`,
  plant('the hash of a key', /events_keys: event .*: its key has the hash of another body/)`
    ${ofKeys(`body_hash = sha256('')`)}`,
  ['the account of a key', ofKeys(`consumer_id = '${consumer}'`), /events_keys: event .*: its key is of 1000000a/],
  plant('the time of a key', /events_keys: event .*: its key is of 2024-01-19/)`
    ${ofKeys(`occurred_at = occurred_at - interval '1 day'`)}`,
];

const hourOfOne = `where consumer_id = '${consumer}' and`;

/** Differences between usage and the sums that the close kept apart. */
export const sealRows: readonly PlantedRow[] = [
  plant(
    'an event that was taken out with its rollup',
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 calls and a quantity of 2285, now 456 and 2280/,
  )`
    delete from usage.event ${hourOfOne} occurred_at = '2024-01-20T10:00:01Z';
     update usage.rollup set calls = calls - 1, duration_ms = duration_ms - 5 ${hourOfOne} hour = '2024-01-20T10:00:00Z'`,
  plant(
    'calls that were moved from one consumer to another',
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 .*, now 457 and 2285, of other callers or measures/,
  )`
    update usage.rollup set calls = calls + case consumer_id when '${consumer}' then -1 else 1 end,
       duration_ms = duration_ms + case consumer_id when '${consumer}' then -5 else 5 end`,
  plant(
    'a measure that was added',
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 calls and a quantity of 2285, now 457 and 2294/,
  )`
    insert into usage.rollup_measure values ('${consumer}', 'search', '2024-01-20T10:00:00Z', true, 'tokens', 9)`,
  plant('seals that were removed', /rollups_seals: search .*: sealed 0 calls and a quantity of 0, now 457/)`
    delete from billing.usage_seal`,
];

export const invoiceRows: readonly PlantedRow[] = [
  ['the charge of a line', ofLine('charge_micros = charge_micros + 1'), /is not its quantity at its price/],
  ['the quantity of a line', ofLine('quantity = quantity - 1'), /is not its quantity at its price/],
  ['the name of a line', ofLine(`name = 'Other'`), /name Other.*its price says otherwise/],
  ['the unit of a line', ofLine(`unit = 'ms'`), /unit ms.*its price says otherwise/],
  ['the builder of a line', ofLine(`builder_id = '${otherBuilder}'`), /its price says otherwise/],
  ['the tool of a line', ofLine(`tool_id = 'other'`), /tool other.*its price says otherwise/],
  plant('a line that was removed', /each invoice charges the sum of its lines/)`
    delete from billing.invoice_line where charge_micros = 4500000`,
  plant('the price of a tool', /is not its quantity at its price/)`
    update billing.tool_price set price = replace(price::text, '0.01', '0.02')::jsonb`,
  ['the owner of a tool', `update billing.tool set owner_id = '${otherBuilder}'`, /its price says otherwise/],
  plant('the consumer of an invoice', /close:.* receivable of/)`
    update billing.invoice set consumer_id = '${otherBuilder}' where consumer_id = '${consumer}'`,
  plant('the total of an invoice', /each invoice bills or carries its whole charge/)`
    ${ofInvoice('total_cents = total_cents + 1')}`,
  plant('the amount carried out', /each successful charge paid its invoice/)`
    update billing.invoice set carried_out_micros = 0, total_cents = 7 where consumer_id = '${otherConsumer}'`,
  ['the status of a paid invoice', ofInvoice(`status = 'open', paid_at = null`), /charged 4500000, paid 0/],
  plant('an invoice that was removed', /every posting belongs to a document: close:/)`
    delete from billing.laid_invoice; delete from billing.invoice_line where invoice_id = ${anInvoice};
     delete from billing.invoice where consumer_id = '${consumer}'`,
  plant('swapped numbers', /chain of hashes over invoices is whole: invoice 1 at place 1: it or its seal was changed/)`
    alter table billing.invoice drop constraint invoice_number_key; update billing.invoice set number = 3 - number`,
  ['a gap in the numbers', 'update billing.invoice set number = 3 where number = 2', /invoice numbers have no gaps/],
  plant('the date of issue', /invoices are issued after their month, due after 14 days/)`
    ${ofInvoice(`issued_at = issued_at + interval '2 days'`)}`,
  plant('the date of issue and the due date', /same dates: close:/)`
    ${ofInvoice(`issued_at = issued_at + interval '2 hours', due_at = due_at + interval '2 hours'`)}`,
  plant('an issue before the month’s end', /issued after their month/)`
    ${ofInvoice(`issued_at = '2024-01-30Z', due_at = '2024-02-13Z'`)}`,
  ['the date of payment', ofInvoice(`paid_at = paid_at + interval '1 hour'`), /same dates: paid:/],
  ['the due date', ofInvoice(`due_at = due_at + interval '1 day'`), /due after 14 days/],
  ['a closed period that was removed', `delete from billing.closed_period`, /each invoice is of a closed period/],
  plant('a gap in the closed periods', /closed period 2024-01 follows 2023-11/)`
    insert into billing.closed_period values ('2023-11', '2024-02-02Z', 0)`,
  plant('a period closed before its end', /period 2024-01 was closed at/)`
    update billing.closed_period set closed_at = '2024-01-31Z'`,
];
