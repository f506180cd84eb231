import { AppError } from '@tollgate/kernel/app-error';
import { addDecimals, formatDecimal, parseDecimal, zeroDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { dayOf, periodBounds } from '@tollgate/kernel/period';
import type { TimedUsage, RatedSpan } from '@tollgate/pricing/rate-over-time';
import type { PeriodCharge } from '../fees/fee-splits.ts';
import type { UsageOfLine } from './sql-read-timed-usage.ts';
import type { PassTags } from './sql-read-pass-tags.ts';
import type { Granularity, UsageQuery, UsageRow } from './usage-row.ts';

/** An answer of 10,000 rows has about 2 MB of JSON. A year of hours (8,784 rows) of one tool still fits. */
const usageRowsMax = 10_000;

/** A row of the answer, and what its calls cost by month: a fee may start anew each month. */
export interface ChargedRow {
  readonly row: UsageRow;
  /** Ordered by month; empty if nothing was billable. */
  readonly charges: readonly PeriodCharge[];
}

/** Adds up the usage and the charges of lines for each row of an answer. */
export interface UsageRows {
  /** Throws `invalid_request` beyond 10,000 rows. */
  add(line: UsageOfLine): void;
  /** Adds one charge of the line that was added last. */
  charge(spans: readonly RatedSpan[]): void;
  /** Ordered by start, tool, consumer, success, pass and tags. */
  list(): ChargedRow[];
}

interface Dimensions {
  readonly toolId: string;
  readonly consumerId: string;
  readonly success: boolean;
  readonly passId: string;
  readonly tags: readonly (string | null)[];
  /** The tags as a text, which may have any characters. */
  readonly tagsText: string;
}

interface Group {
  readonly dimensions: Dimensions;
  readonly rows: Map<number, OpenRow>;
}

interface OpenRow extends Dimensions {
  readonly startMs: number;
  calls: bigint;
  successes: bigint;
  durationMs: bigint;
  readonly measures: Map<string, Decimal>;
  readonly charges: Map<string, Micros>;
}

/** `tagsOf` has the tags of a pass by its id. */
export function createUsageRows(query: UsageQuery, tagsOf: ReadonlyMap<string, PassTags>): UsageRows {
  const groups = createGroups(query, tagsOf);
  let count = 0;
  let period = '';
  let groupOf: GroupOf | undefined;

  return {
    add(line) {
      period = line.period;
      groupOf = groups.ofLine(line);
      for (const usage of line.usage) if (isOfRow(usage)) addUsage(rowOf(usage, usage.success), usage);
    },
    charge(spans) {
      for (const span of spans) if (isOfRow(span)) addCharge(rowOf(span, true), period, span);
    },
    list: () =>
      groups
        .listRows()
        .sort(inOrder)
        .map((row) => ({ row: toUsageRow(row, query), charges: chargesOf(row) })),
  };

  function rowOf(span: Pick<TimedUsage, 'startMs' | 'passId'>, success: boolean): OpenRow {
    const group = groupOf?.(span.passId, success);
    if (group === undefined) throw new Error('a charge came before its line');
    const startMs = startOf(query.granularity, span.startMs, period);
    const row = group.rows.get(startMs);
    if (row !== undefined) return row;
    count += 1;
    if (count > usageRowsMax) throw tooManyRows();
    const sums = { calls: 0n, successes: 0n, durationMs: 0n, measures: new Map(), charges: new Map() };
    const opened = { ...group.dimensions, startMs, ...sums };
    group.rows.set(startMs, opened);
    return opened;
  }
}

/** Finds the group of a pass, and of an outcome where the query tells outcomes apart. */
type GroupOf = (passId: string | undefined, success: boolean) => Group;

/** Groups rows by all dimensions but the start. */
function createGroups(query: UsageQuery, tagsOf: ReadonlyMap<string, PassTags>) {
  const { groupBy, tags = [] } = query;
  const groups = new Map<string, Group>();
  return {
    /** A line has many hours and few passes, so each pass looks for its group once. */
    ofLine(line: UsageOfLine): GroupOf {
      const known = new Map<string | undefined, Group>();
      return (passId, success) => {
        const place = groupBy.has('success') ? `${success} ${passId}` : passId;
        const group = known.get(place) ?? findGroup({ ...line, passId, success });
        known.set(place, group);
        return group;
      };
    },
    listRows: () => [...groups.values()].flatMap(({ rows }) => [...rows.values()]),
  };

  function findGroup(of: GroupedUsage): Group {
    const ofPass = of.passId === undefined ? {} : (tagsOf.get(of.passId) ?? {});
    const dimensions = dimensionsOf(
      of,
      groupBy,
      tags.map((name) => (Object.hasOwn(ofPass, name) ? (ofPass[name] ?? null) : null)),
    );
    const { tags: _, ...texts } = dimensions;
    const key = Object.values(texts).join(' ');
    const group = groups.get(key) ?? { dimensions, rows: new Map() };
    groups.set(key, group);
    return group;
  }
}

type GroupedUsage = Pick<UsageOfLine, 'toolId' | 'consumerId'> & Pick<TimedUsage, 'passId' | 'success'>;

function dimensionsOf(of: GroupedUsage, groupBy: UsageQuery['groupBy'], tags: readonly (string | null)[]): Dimensions {
  return {
    toolId: groupBy.has('tool_id') ? of.toolId : '',
    consumerId: groupBy.has('consumer_id') ? of.consumerId : '',
    success: groupBy.has('success') && of.success,
    passId: groupBy.has('pass_id') ? (of.passId ?? '') : '',
    tags,
    tagsText: JSON.stringify(tags),
  };
}

function addUsage(row: OpenRow, usage: TimedUsage): void {
  row.calls += usage.calls;
  row.durationMs += usage.durationMs;
  if (usage.success) row.successes += usage.calls;
  for (const [key, total] of usage.measures)
    row.measures.set(key, addDecimals(row.measures.get(key) ?? zeroDecimal, parseDecimal(total)));
}

function addCharge({ charges }: OpenRow, period: string, { chargeMicros }: RatedSpan): void {
  charges.set(period, micros((charges.get(period) ?? zeroMicros) + chargeMicros));
}

/** Lines that are divided by pass are of hours; their rows may be of days or months. */
function startOf(granularity: Granularity | undefined, ms: number, period: string): number {
  if (granularity === undefined) return 0;
  if (granularity === 'month') return periodBounds(period).start;
  return granularity === 'day' ? dayOf(ms) : ms;
}

/** Usage from before the first row starts at -Infinity. It has only moved the tiers on, and belongs to no row. */
function isOfRow({ startMs }: Pick<TimedUsage, 'startMs'>): boolean {
  return Number.isFinite(startMs);
}

const orderedBy = ['startMs', 'toolId', 'consumerId', 'success', 'passId', 'tagsText'] as const;

/** Compares texts by code unit: the order must not depend on a locale. */
function inOrder(left: OpenRow, right: OpenRow): number {
  for (const name of orderedBy) if (left[name] !== right[name]) return left[name] < right[name] ? -1 : 1;
  return 0;
}

function toUsageRow(row: OpenRow, { granularity, groupBy, tags = [] }: UsageQuery): UsageRow {
  return {
    ...(granularity && { startMs: row.startMs }),
    ...(groupBy.has('tool_id') && { toolId: row.toolId }),
    ...(groupBy.has('consumer_id') && { consumerId: row.consumerId }),
    ...(groupBy.has('success') && { success: row.success }),
    ...(groupBy.has('pass_id') && { passId: row.passId === '' ? null : row.passId }),
    ...(tags.length > 0 && { tags: row.tags }),
    calls: row.calls,
    successes: row.successes,
    failures: row.calls - row.successes,
    durationMs: row.durationMs,
    measures: new Map([...row.measures].sort(byKey).map(([key, total]) => [key, formatDecimal(total)])),
  };
}

function chargesOf({ charges }: OpenRow): PeriodCharge[] {
  return [...charges].sort(byKey).map(([period, chargeMicros]) => ({ period, chargeMicros }));
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function tooManyRows(): AppError {
  const message = `would make more than ${usageRowsMax} rows: ask for fewer hours, a coarser granularity, fewer dimensions in group_by, or one tool_id`;
  return new AppError('invalid_request', `The query ${message}.`, {
    errors: [{ pointer: '/from', code: 'too_many_rows', message }],
  });
}
