import type { PlantedRow } from './plant-sql.ts';
import { consumer, otherBuilder, otherConsumer } from './reconciled-month.ts';

const ofInvoice = (change: string) => `update billing.invoice set ${change} where consumer_id = '${consumer}'`;
const ofLine = (change: string) => `update billing.invoice_line set ${change} where charge_micros = 4500000`;
const anInvoice = `(select invoice_id from billing.invoice where consumer_id = '${consumer}')`;

/** Differences in usage, and in invoices with their periods. */
export const usageRows: readonly PlantedRow[] = [
  [
    'an event without its rollup',
    `update usage.rollup set calls = calls - 1 where consumer_id = '${consumer}'`,
    /events_rollups: search/,
  ],
  [
    'an event that was removed',
    `delete from usage.event where event_id = (select event_id from usage.event limit 1)`,
    /events_rollups: search/,
  ],
  [
    'usage that was removed',
    `delete from usage.rollup where consumer_id = '${consumer}'; delete from usage.event where consumer_id = '${consumer}'`,
    /rollups_lines: .*billed and not counted/,
  ],
  [
    'usage that was invented',
    `insert into usage.rollup values ('${otherBuilder}', 'search', '2024-01-21Z', true, 9, 9)`,
    /rollups_lines: .*counted and not billed/,
  ],
];

const ofKeys = (change: string) => `update usage.event_key set ${change} where consumer_id = '${otherConsumer}'`;

/** Differences in keys of events. */
export const keyRows: readonly PlantedRow[] = [
  [
    'a key that was removed',
    `delete from usage.event_key where event_id = (select event_id from usage.event where idempotency_key = 'call 3')`,
    /events_keys: event .* of 1000000b.*: its key was removed/,
  ],
  [
    'the hash of a key',
    ofKeys(`body_hash = sha256('')`),
    /events_keys: event .*: its key has the hash of another body/,
  ],
  ['the account of a key', ofKeys(`consumer_id = '${consumer}'`), /events_keys: event .*: its key is of 1000000a/],
  [
    'the time of a key',
    ofKeys(`occurred_at = occurred_at - interval '1 day'`),
    /events_keys: event .*: its key is of 2024-01-19/,
  ],
];

const hourOfOne = `where consumer_id = '${consumer}' and`;

/** Differences between usage and the sums that the close kept apart. */
export const sealRows: readonly PlantedRow[] = [
  [
    'an event that was taken out with its rollup',
    `delete from usage.event ${hourOfOne} occurred_at = '2024-01-20T10:00:01Z';
     update usage.rollup set calls = calls - 1, duration_ms = duration_ms - 5 ${hourOfOne} hour = '2024-01-20T10:00:00Z'`,
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 calls and a quantity of 2285, now 456 and 2280/,
  ],
  [
    'calls that were moved from one consumer to another',
    `update usage.rollup set calls = calls + case consumer_id when '${consumer}' then -1 else 1 end,
       duration_ms = duration_ms + case consumer_id when '${consumer}' then -5 else 5 end`,
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 .*, now 457 and 2285, of other callers or measures/,
  ],
  [
    'a measure that was added',
    `insert into usage.rollup_measure values ('${consumer}', 'search', '2024-01-20T10:00:00Z', true, 'tokens', 9)`,
    /rollups_seals: search at 2024-01-20T10Z: sealed 457 calls and a quantity of 2285, now 457 and 2294/,
  ],
  [
    'seals that were removed',
    'delete from billing.usage_seal',
    /rollups_seals: search .*: sealed 0 calls and a quantity of 0, now 457/,
  ],
];

export const invoiceRows: readonly PlantedRow[] = [
  ['the charge of a line', ofLine('charge_micros = charge_micros + 1'), /is not its quantity at its price/],
  ['the quantity of a line', ofLine('quantity = quantity - 1'), /is not its quantity at its price/],
  ['the name of a line', ofLine(`name = 'Other'`), /name Other.*its price says otherwise/],
  ['the unit of a line', ofLine(`unit = 'ms'`), /unit ms.*its price says otherwise/],
  ['the builder of a line', ofLine(`builder_id = '${otherBuilder}'`), /its price says otherwise/],
  ['the tool of a line', ofLine(`tool_id = 'other'`), /tool other.*its price says otherwise/],
  [
    'a line that was removed',
    `delete from billing.invoice_line where charge_micros = 4500000`,
    /each invoice charges the sum of its lines/,
  ],
  [
    'the price of a tool',
    `update billing.tool_price set price = replace(price::text, '0.01', '0.02')::jsonb`,
    /is not its quantity at its price/,
  ],
  ['the owner of a tool', `update billing.tool set owner_id = '${otherBuilder}'`, /its price says otherwise/],
  [
    'the consumer of an invoice',
    `update billing.invoice set consumer_id = '${otherBuilder}' where consumer_id = '${consumer}'`,
    /close:.* receivable of/,
  ],
  [
    'the total of an invoice',
    ofInvoice('total_cents = total_cents + 1'),
    /each invoice bills or carries its whole charge/,
  ],
  [
    'the amount carried out',
    `update billing.invoice set carried_out_micros = 0, total_cents = 7 where consumer_id = '${otherConsumer}'`,
    /each successful charge paid its invoice/,
  ],
  ['the status of a paid invoice', ofInvoice(`status = 'open', paid_at = null`), /charged 4500000, paid 0/],
  [
    'an invoice that was removed',
    `delete from billing.laid_invoice; delete from billing.invoice_line where invoice_id = ${anInvoice};
     delete from billing.invoice where consumer_id = '${consumer}'`,
    /every posting belongs to a document: close:/,
  ],
  [
    'swapped numbers',
    'alter table billing.invoice drop constraint invoice_number_key; update billing.invoice set number = 3 - number',
    /chain of hashes over invoices is whole: invoice 1 at place 1: it or its seal was changed/,
  ],
  ['a gap in the numbers', 'update billing.invoice set number = 3 where number = 2', /invoice numbers have no gaps/],
  [
    'the date of issue',
    ofInvoice(`issued_at = issued_at + interval '2 days'`),
    /invoices are issued after their month, due after 14 days/,
  ],
  [
    'the date of issue and the due date',
    ofInvoice(`issued_at = issued_at + interval '2 hours', due_at = due_at + interval '2 hours'`),
    /same dates: close:/,
  ],
  [
    'an issue before the month’s end',
    ofInvoice(`issued_at = '2024-01-30Z', due_at = '2024-02-13Z'`),
    /issued after their month/,
  ],
  ['the date of payment', ofInvoice(`paid_at = paid_at + interval '1 hour'`), /same dates: paid:/],
  ['the due date', ofInvoice(`due_at = due_at + interval '1 day'`), /due after 14 days/],
  ['a closed period that was removed', `delete from billing.closed_period`, /each invoice is of a closed period/],
  [
    'a gap in the closed periods',
    `insert into billing.closed_period values ('2023-11', '2024-02-02Z', 0)`,
    /closed period 2024-01 follows 2023-11/,
  ],
  [
    'a period closed before its end',
    `update billing.closed_period set closed_at = '2024-01-31Z'`,
    /period 2024-01 was closed at/,
  ],
];
