import type { Queryable, Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Alone } from '@tollgate/pricing/bound-line';
import type { LineQuantities } from '@tollgate/pricing/quantity-of';
import type { LineId } from '../deciding/call-lines.ts';
import { fromLineKey, lineKeyOf, type Line } from './lines.ts';
import { anew } from '../authorizations/sql-hold.ts';

/** As they are stored: plain decimals. */
interface StoredQuantities {
  readonly calls: string;
  readonly durationMs: string;
  readonly measures: Readonly<Record<string, string>>;
}

interface LineRow {
  readonly account_id: string;
  readonly price_id: string;
  readonly period: string;
  readonly tool_id: string;
  readonly settled: StoredQuantities; // written from a value of this type
  readonly in_flight: StoredQuantities;
  readonly alone: Alone | null;
  readonly held_micros: bigint;
  readonly counted_through: Date;
  readonly open_at: Date;
  readonly last_end: Date;
}

const columns = `l.account_id, l.price_id, l.period, l.tool_id, l.settled, l.in_flight, l.alone, l.held_micros, l.counted_through,
  l.open_at, l.last_end`;

/** A line of an account. */
export interface LineOf extends LineId {
  readonly accountId: string;
}

const lockText = `select ${columns} from gate.line l
  join unnest($1::uuid[], $2::uuid[], $3::text[]) as w (account_id, price_id, period) using (account_id, price_id, period)
  order by l.account_id, l.price_id, l.period for update of l`;

/** Locks lines until the transaction ends, after the caps that cover them. Those without a row are left out. */
export async function lockLines(tx: Transaction, lines: readonly LineOf[]): Promise<Line[]> {
  if (lines.length === 0) return [];
  const wished = [...new Map(lines.map((line) => [`${line.accountId} ${lineKeyOf(line)}`, line])).values()];
  const rows = await tx.query<LineRow>(anew('gate.lock_lines', lockText), [
    wished.map(({ accountId }) => accountId),
    wished.map(({ priceId }) => priceId),
    wished.map(({ period }) => period),
  ]);
  return rows.map(fromLineRow);
}

const ofAccountsText = `select ${columns} from gate.line l where l.account_id = any ($1::uuid[])
  order by l.account_id, l.price_id, l.period`;

export async function listLinesOf(tx: Transaction, accountIds: readonly string[]): Promise<Line[]> {
  return (await tx.query<LineRow>(anew('gate.list_lines_of', ofAccountsText), [accountIds])).map(fromLineRow);
}

const lockOfAccountsText = `${ofAccountsText} for update`;

export async function lockLinesOf(tx: Transaction, accountIds: readonly string[]): Promise<Line[]> {
  if (accountIds.length === 0) return [];
  return (await tx.query<LineRow>(anew('gate.lock_lines_of', lockOfAccountsText), [accountIds])).map(fromLineRow);
}

const insertText = `insert into gate.line (account_id, price_id, period, tool_id, settled, in_flight, held_micros, counted_through, open_at)
  select account_id, price_id, period, tool_id, $5, $5, 0, 'epoch', 'epoch'
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as t (account_id, price_id, period, tool_id)
  order by account_id, price_id, period on conflict do nothing`;

/** Makes rows that a settlement then fills. */
export async function insertLines(
  tx: Transaction,
  lines: readonly (LineOf & { readonly toolId: string })[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query({ name: 'gate.insert_lines', text: insertText }, [
    lines.map(({ accountId }) => accountId),
    lines.map(({ priceId }) => priceId),
    lines.map(({ period }) => period),
    lines.map(({ toolId }) => toolId),
    JSON.stringify({ calls: '0', durationMs: '0', measures: {} } satisfies StoredQuantities),
  ]);
}

const putText = `update gate.line l set settled = t.settled, in_flight = t.in_flight, alone = t.alone, held_micros = t.held,
    counted_through = t.counted_through, open_at = t.open_at, last_end = t.last_end
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::jsonb[], $6::text[], $7::bigint[], $8::timestamptz[],
    $9::timestamptz[], $10::timestamptz[])
    as t (account_id, price_id, period, settled, in_flight, alone, held, counted_through, open_at, last_end)
  where l.account_id = t.account_id and l.price_id = t.price_id and l.period = t.period`;

/** The caller has locked the lines. */
export async function putLines(tx: Transaction, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(anew('gate.put_lines', putText), [
    lines.map(({ accountId }) => accountId),
    lines.map(({ priceId }) => priceId),
    lines.map(({ period }) => period),
    lines.map(({ settled }) => toStored(settled)),
    lines.map(({ inFlight }) => toStored(inFlight)),
    lines.map(({ alone }) => alone),
    lines.map(({ heldMicros }) => heldMicros.toString()),
    lines.map(({ countedThroughMs }) => toIso(countedThroughMs)),
    lines.map(({ openAtMs }) => toIso(openAtMs)),
    lines.map(({ lastEndMs }) => toIso(lastEndMs)),
  ]);
}

// A book's open calls are those that are not settled; once it has ended, its captured calls are left.
const inFlightText = `with live as (
    select h.account_id, h.lines, h.max,
      case when h.call_count = 1 then 1
        when h.state = 'open' then h.call_count - bit_count(h.settled_calls)
        else (select count(*) from gate.captured_call c where c.account_id = h.account_id and c.book_id = h.hold_id) end as calls
    from gate.hold h where h.account_id = any ($1::uuid[]) and h.lines <> '{}' and h.state in ('open', 'captured')
    union all
    select h.account_id, h.lines, h.max, of_book.calls
    from (select account_id, book_id, count(*) as calls from gate.captured_call where account_id = any ($1::uuid[]) group by 1, 2) of_book
    join gate.hold h on h.hold_id = of_book.book_id and h.state not in ('open', 'captured') and h.lines <> '{}'
  ), measure as (
    select account_id, line, key, sum(value::numeric * calls) as total
    from live cross join lateral unnest(lines) as line cross join lateral jsonb_each_text(max -> 'measures') group by 1, 2, 3
  )
  select l.account_id, line, sum(calls)::text as calls, sum((max ->> 'durationMs')::numeric * calls)::text as duration_ms,
    (select jsonb_object_agg(m.key, trim_scale(m.total)::text) from measure m where m.account_id = l.account_id and m.line = of.line)
      as measures
  from live l cross join lateral unnest(l.lines) as of (line) where calls > 0 group by l.account_id, of.line`;

interface InFlightRow {
  readonly account_id: string;
  readonly line: string;
  readonly calls: string;
  readonly duration_ms: string;
  readonly measures: Record<string, string> | null;
}

/** The most that the live holds can add, by account and line. The caller has locked the lines, so no hold comes meanwhile. */
export async function sumInFlight(
  tx: Transaction,
  accountIds: readonly string[],
): Promise<Map<string, LineQuantities>> {
  const rows = await tx.query<InFlightRow>(anew('gate.sum_in_flight', inFlightText), [accountIds]);
  return new Map(
    rows.map((row) => [
      ownLineKeyOf({ accountId: row.account_id, ...fromLineKey(row.line) }),
      {
        calls: BigInt(row.calls),
        durationMs: BigInt(row.duration_ms),
        measures: new Map(Object.entries(row.measures ?? {})),
      },
    ]),
  );
}

export function ownLineKeyOf({ accountId, ...line }: LineOf): string {
  return `${accountId} ${lineKeyOf(line)}`;
}

const dropText = `delete from gate.line where period < $1 and (in_flight ->> 'calls') = '0'`;

/** Drops the lines of periods that nobody calls in any more. */
export async function dropEndedLines(db: Queryable, beforePeriod: string): Promise<void> {
  await db.query({ name: 'gate.drop_ended_lines', text: dropText }, [beforePeriod]);
}

function toStored({ calls, durationMs, measures }: LineQuantities): string {
  const stored = { calls: String(calls), durationMs: String(durationMs), measures: Object.fromEntries(measures) };
  return JSON.stringify(stored satisfies StoredQuantities);
}

function fromStored({ calls, durationMs, measures }: StoredQuantities): LineQuantities {
  return { calls: BigInt(calls), durationMs: BigInt(durationMs), measures: new Map(Object.entries(measures)) };
}

function fromLineRow(row: LineRow): Line {
  return {
    accountId: row.account_id,
    priceId: row.price_id,
    period: row.period,
    toolId: row.tool_id,
    settled: fromStored(row.settled),
    inFlight: fromStored(row.in_flight),
    alone: row.alone,
    heldMicros: micros(row.held_micros),
    countedThroughMs: row.counted_through.getTime(),
    openAtMs: row.open_at.getTime(),
    lastEndMs: row.last_end.getTime(),
  };
}
