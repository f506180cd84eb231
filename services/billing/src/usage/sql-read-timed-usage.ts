import { addDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { hourMs } from '@tollgate/kernel/durations';
import type { Transaction } from '@tollgate/database/database';
import type { RatedPrice, RatedPrices } from '@tollgate/pricing/rated-price';
import type { TimedUsage } from '@tollgate/pricing/rate-over-time';
import type { Granularity, UsageRole } from './usage-row.ts';
import { fetchInBatches } from './sql-fetch-in-batches.ts';
import { readRatedPrices } from './sql-read-rated-prices.ts';
import { readUsedTools } from './sql-read-used-tools.ts';
import { collectSpans, cutIntoSpans, type ToolSpan } from './usage-spans.ts';

export interface TimedUsageQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string | undefined;
  /** In the month of `fromMs`, or equal to it. Usage in [sinceMs, fromMs) is one span, which starts at -Infinity. */
  readonly sinceMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity: Granularity;
  /** Divides each span by pass, but not what lies before `fromMs`. Only by the hour, and for consumers. */
  readonly byPass?: boolean;
}

/** All usage of a consumer under one price version in one month. */
export interface UsageOfLine {
  readonly toolId: string;
  readonly consumerId: string;
  readonly period: string;
  /** Undefined: the tool has no price. The `priceId` of its usage is ''. */
  readonly price: RatedPrice | undefined;
  /** In the order of time and passes, calls without a pass first. */
  readonly usage: readonly TimedUsage[];
}

/** The hour of a start since the epoch; 0 where the whole span has one start. */
const startText = `case when s.bin is null then 0
        else (date_part('epoch', date_bin(s.bin, r.hour, '1970-01-01Z')) / 3600)::int end`;

interface Sums {
  readonly view: string;
  readonly key: string;
  /** They are added up. */
  readonly columns: readonly string[];
  /** An entry has these behind its start. */
  readonly entry: readonly string[];
}

const callColumns = ['calls', 'duration_ms'];
const calls: Sums = { view: 'usage.rollup_v1', key: 'null::text', columns: callColumns, entry: callColumns };
const measures: Sums = {
  view: 'usage.rollup_measure_v1',
  key: 'r.key',
  columns: ['total'],
  entry: ['trim_scale(total)'],
};

/** Bounds are compared as rows, since only the primary key can answer that: without statistics, the planner took the index by tool. */
const hoursOf: Record<UsageRole, string> = {
  consumer: `(r.consumer_id, r.tool_id, r.hour) >= ($1::uuid, s.tool_id, s.from_at)
        and (r.consumer_id, r.tool_id, r.hour) < ($1::uuid, s.tool_id, s.to_at)`,
  builder: 'r.tool_id = s.tool_id and r.hour >= s.from_at and r.hour < s.to_at',
};

/** Rows divided by pass are the rollups themselves, so nothing is left to add up. */
const startsOf = (role: UsageRole, byPass: boolean, { view, key, columns }: Sums): string => {
  const sums = columns.map((name) => `, ${byPass ? `r.${name}` : `sum(r.${name}) as ${name}`}`).join('');
  return `
      select r.consumer_id, r.success, ${byPass ? 'case when s.bin is not null then r.pass_id end' : 'null::uuid'} as pass_id,
        ${key} as key, ${startText} as start${sums}
      from ${view} r
      where ${hoursOf[role]}
      ${byPass ? '' : 'group by 1, 2, 4, 5'}`;
};

const entriesOf = (role: UsageRole, byPass: boolean, sums: Sums): string => `
    select consumer_id, success, pass_id, key, string_agg(${['start', ...sums.entry].join(" || ',' || ")}, ',') as entries
    from (${startsOf(role, byPass, sums)}
    ) r group by consumer_id, success, pass_id, key`;

/**
 * Sums usage of spans. One row has all starts of a consumer, an outcome, a pass and a measure: a hundred thousand rows of their
 * own cost ten times as much to write and to read.
 *
 * Plan: for each span one range of the rollups' primary keys (consumer) or of their indexes by tool (builder). It is the same
 * whatever the bounds are, so it is kept.
 */
const textFor = (role: UsageRole, byPass = false): string => `
select s.place::int, u.*
from unnest($2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::interval[]) with ordinality
    s (line, tool_id, from_at, to_at, bin, place)
  cross join lateral (${entriesOf(role, byPass, calls)}
    union all ${entriesOf(role, byPass, measures)}) u
where $1::uuid is not null
order by s.line, u.consumer_id, s.place, u.pass_id nulls first, u.success, u.key nulls first`;

const consumerTexts = {
  whole: { name: 'billing.read_timed_usage', text: textFor('consumer') },
  byPass: { name: 'billing.read_timed_usage_by_pass', text: textFor('consumer', true) },
};
const builderText = textFor('builder');

interface DbUsage {
  readonly place: number; // the span's, from 1
  readonly consumer_id: string;
  readonly success: boolean;
  readonly pass_id: string | null;
  readonly key: string | null; // null: calls
  readonly entries: string; // '491234,5,120,491235,1,0': start, calls and duration, or start and total
}

/**
 * Sums usage by consumer, price version, start, outcome and pass. Each hour belongs to the version in force then. All usage
 * of a line comes at once; lines come in the order of their tools. Between two lines of a builder, the transaction may be
 * asked something else.
 */
export async function* readTimedUsage(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<UsageOfLine> {
  await tx.query(planning, ['off', 'force_generic_plan']);
  try {
    yield* readLines(tx, query);
  } finally {
    await tx.query(planning, ['on', 'auto']).catch(() => undefined); // a statement has failed, and the transaction with it
  }
}

/**
 * The plan is the same for all spans, so it is kept: making it costs several times a short answer. One that was made while a table
 * was small would read all of the table for each span, for as long as it is kept. So it may not.
 */
const planning = {
  name: 'billing.planning_of_usage',
  text: `select set_config('enable_seqscan', $1, true), set_config('plan_cache_mode', $2, true)`,
};

async function* readLines(tx: Transaction, query: TimedUsageQuery): AsyncGenerator<UsageOfLine> {
  const spans = cutIntoSpans(await readUsedTools(tx, query), query);
  const priceIds = new Set(spans.flatMap(({ priceId }) => priceId ?? []));
  const prices = priceIds.size === 0 ? new Map<string, RatedPrice>() : await readRatedPrices(tx, [...priceIds]);
  let unsent: PlacedUsage[] = [];
  for await (const rows of readRows(tx, query, spans)) {
    const known = unsent.length === 0 ? rows : [...unsent, ...rows];
    const whole = known.findLastIndex((row) => !isOfOneLine(row, known.at(-1))) + 1;
    yield* toLines(known.slice(0, whole), prices);
    unsent = known.slice(whole);
  }
  yield* toLines(unsent, prices);
}

interface PlacedUsage extends DbUsage {
  readonly span: ToolSpan;
}

/** A builder's rows may be millions, so a cursor reads them. */
function readRows(tx: Transaction, query: TimedUsageQuery, spans: readonly ToolSpan[]): AsyncGenerator<PlacedUsage[]> {
  return query.role === 'builder' ? readByCursor(tx, query, spans) : readInParts(tx, query, spans);
}

async function* readByCursor(
  tx: Transaction,
  query: TimedUsageQuery,
  spans: readonly ToolSpan[],
): AsyncGenerator<PlacedUsage[]> {
  if (spans.length === 0) return;
  const fetching = { text: builderText, values: valuesOf(query, spans), batchRows: 100 };
  for await (const rows of fetchInBatches<DbUsage>(tx, fetching)) yield place(rows, spans);
}

/** While one part is worked on, PostgreSQL reads the next. */
async function* readInParts(
  tx: Transaction,
  query: TimedUsageQuery,
  spans: readonly ToolSpan[],
): AsyncGenerator<PlacedUsage[]> {
  const parts = collectSpans(spans, query.granularity);
  const ask = (part: readonly ToolSpan[] = []): Promise<DbUsage[]> => {
    if (part.length === 0) return Promise.resolve([]);
    const statement = query.byPass === true ? consumerTexts.byPass : consumerTexts.whole;
    const asked = tx.query<DbUsage>(statement, valuesOf(query, part));
    asked.catch(() => undefined); // its error comes to the one that awaits it
    return asked;
  };
  let asked = ask(parts[0]);
  try {
    for (const [at, part] of parts.entries()) {
      const rows = await asked;
      asked = ask(parts[at + 1]);
      yield place(rows, part);
    }
  } finally {
    await asked.catch(() => undefined); // no other statement may begin before
  }
}

function valuesOf({ accountId, granularity }: TimedUsageQuery, spans: readonly ToolSpan[]): unknown[] {
  const bin = granularity === 'day' ? '1 day' : '1 hour';
  return [
    accountId,
    spans.map(({ line }) => line),
    spans.map(({ toolId }) => toolId),
    spans.map(({ fromMs }) => new Date(fromMs)),
    spans.map(({ toMs }) => new Date(toMs)),
    spans.map(({ startMs }) => (startMs === undefined ? bin : null)),
  ];
}

function place(rows: readonly DbUsage[], spans: readonly ToolSpan[]): PlacedUsage[] {
  return rows.map((row) => ({ ...row, span: spans[row.place - 1] as ToolSpan })); // the statement counts them
}

function isOfOneLine(one: PlacedUsage, other: PlacedUsage | undefined): boolean {
  return one.span.line === other?.span.line && one.consumer_id === other.consumer_id;
}

function* toLines(rows: readonly PlacedUsage[], prices: RatedPrices): Generator<UsageOfLine> {
  for (let start = 0, end = 0; start < rows.length; start = end) {
    while (end < rows.length && isOfOneLine(rows[end] as PlacedUsage, rows[start])) end += 1;
    const { span, consumer_id: consumerId } = rows[start] as PlacedUsage;
    const price = span.priceId === undefined ? undefined : prices.get(span.priceId);
    yield { toolId: span.toolId, consumerId, period: span.period, price, usage: toUsage(rows.slice(start, end)) };
  }
}

type OpenUsage = { -readonly [Name in keyof TimedUsage]: TimedUsage[Name] } & { measures: Map<string, string> };

/** The rows of a start come in the order of passes. So only the starts have to be put in order. */
function toUsage(rows: readonly PlacedUsage[]): TimedUsage[] {
  const byStart = new Map<number, OpenUsage[]>();
  for (const row of rows) {
    if (row.key === null) addCalls(byStart, row);
    else addMeasures(byStart, row, row.key);
  }
  return [...byStart].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, usage]) => usage);
}

const noMeasures = new Map<string, string>();

function addCalls(byStart: Map<number, OpenUsage[]>, { span, ...row }: PlacedUsage): void {
  const [priceId, passId] = [span.priceId ?? '', row.pass_id ?? undefined];
  const entries = row.entries.split(',');
  for (let at = 0; at < entries.length; at += 3) {
    const startMs = span.startMs ?? Number(entries[at]) * hourMs;
    const ofStart = byStart.get(startMs);
    const known = ofStart && ofRow(ofStart, row);
    const [calls, durationMs] = [BigInt(entries[at + 1] ?? ''), BigInt(entries[at + 2] ?? '')];
    if (known !== undefined) {
      known.calls += calls; // only where rollups of passes come to one start
      known.durationMs += durationMs;
      continue;
    }
    const { consumer_id: consumerId, success } = row;
    const shared = { period: span.period, startMs, passId, consumerId, priceId, success };
    const usage = { ...shared, calls, durationMs, measures: noMeasures };
    if (ofStart === undefined) byStart.set(startMs, [usage]);
    else ofStart.push(usage);
  }
}

/** A row's calls come right before its measures, so they are the last of their start. Measures without calls are left out. */
function addMeasures(byStart: ReadonlyMap<number, OpenUsage[]>, { span, ...row }: PlacedUsage, key: string): void {
  const entries = row.entries.split(',');
  for (let at = 0; at < entries.length; at += 2) {
    const usage = ofRow(byStart.get(span.startMs ?? Number(entries[at]) * hourMs) ?? [], row);
    if (usage === undefined) continue;
    if (usage.measures === noMeasures) usage.measures = new Map();
    const [known, total = ''] = [usage.measures.get(key), entries[at + 1]];
    usage.measures.set(key, known === undefined ? total : sumOf(known, total));
  }
}

function ofRow(ofStart: readonly OpenUsage[], { success, pass_id: passId }: DbUsage): OpenUsage | undefined {
  const last = ofStart.at(-1);
  return last?.success === success && last.passId === (passId ?? undefined) ? last : undefined;
}

function sumOf(one: string, other: string): string {
  return formatDecimal(addDecimals(parseDecimal(one), parseDecimal(other)));
}
