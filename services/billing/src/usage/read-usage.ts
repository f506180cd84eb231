import { AppError } from '@tollgate/kernel/app-error';
import type { Database, Transaction } from '@tollgate/database/database';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import { sumMicros, micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { dayMs } from '@tollgate/kernel/durations';
import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import type { FeeScope } from '../fees/fee.ts';
import {
  type UsageQuery,
  type UsageRole,
  isByPass,
  type Granularity,
  type UsageRow,
  type UsageTotals,
  type UsageMoney,
} from './usage-row.ts';
import { totalUsage } from './usage-totals.ts';
import { readWatermark } from './sql-watermark.ts';
import { sumUsage, readPassTags, type PassTags } from './sql-sum-usage.ts';
import { splitCharges, type GrossByKey, type PeriodCharge } from '../fees/fee-splits.ts';
import { rateUsageOverTime } from './rate-consumers.ts';
import { rateGrossBefore } from './rate-gross-before.ts';

/** An answer of 10,000 rows has about 2 MB of JSON. A year of hours (8,784 rows) of one tool still fits. */
const usageRowsMax = 10_000;

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly totals: UsageTotals;
  readonly countedThroughMs: number;
}

export interface ReadUsageDeps {
  readonly database: Database;
  readonly scope: FeeScope;
}

/**
 * Reads usage with its money, counts and sums from one snapshot. Rows that are grouped by success have no money. Throws
 * `invalid_request` if there would be more than 10,000 rows.
 */
export function createReadUsage({ database, scope }: ReadUsageDeps) {
  return async function readUsage(query: UsageQuery): Promise<Usage> {
    const read = async (tx: Transaction): Promise<Usage> => {
      const countedThroughMs = await readWatermark(tx);
      const rows = await sumUsage(tx, query, usageRowsMax + 1); // one more, to know whether there are too many
      if (rows.length > usageRowsMax) throw tooManyRows();
      const totals = await totalUsage(rows);
      if (query.groupBy.has('success')) return { rows, totals, countedThroughMs };
      const money = await rateRows(tx, { query, rows, scope });
      return {
        rows: await mapInTurns(rows, (row, index) => ({ ...row, ...(money[index] && { money: money[index] }) })),
        totals: { ...totals, money: totalMoney(money, query.role) },
        countedThroughMs,
      };
    };
    return database.transaction(read, { accountId: query.accountId, isolation: 'snapshot' });
  };
}

export type ReadUsage = ReturnType<typeof createReadUsage>;

function tooManyRows(): AppError {
  const message = `would make more than ${usageRowsMax} rows: ask for fewer hours, a coarser granularity, fewer dimensions in group_by, or one tool_id`;
  return new AppError('invalid_request', `The query ${message}.`, {
    errors: [{ pointer: '/from', code: 'too_many_rows', message }],
  });
}

/** Adds up the money of the rows, so that the rows of an answer always add up to its totals. */
function totalMoney(rows: readonly UsageMoney[], role: UsageRole): UsageMoney {
  const chargeMicros = sumMicros(rows.map((row) => row.chargeMicros));
  if (role === 'consumer') return { chargeMicros };
  const splits = rows.flatMap(({ split }) => split ?? []);
  return {
    chargeMicros,
    split: {
      earningMicros: sumMicros(splits.map(({ earningMicros }) => earningMicros)),
      feeMicros: sumMicros(splits.map(({ feeMicros }) => feeMicros)),
    },
  };
}

/**
 * Splits each row's charges into earning and fee, for the builder. The fee depends on the gross of all rows before, so
 * rows must come in their order.
 */
async function splitRows(
  rows: readonly (readonly PeriodCharge[])[],
  before: { readonly scope: FeeScope; readonly gross: GrossByKey },
): Promise<UsageMoney[]> {
  let { gross } = before;
  return mapInTurns(rows, (charges) => {
    const after = splitCharges(charges, { scope: before.scope, gross });
    gross = after.gross;
    return {
      chargeMicros: sumMicros(charges.map(({ chargeMicros }) => chargeMicros)),
      split: {
        earningMicros: sumMicros(after.splits.map(({ earningMicros }) => earningMicros)),
        feeMicros: sumMicros(after.splits.map(({ feeMicros }) => feeMicros)),
      },
    };
  });
}

export interface RowsToRate {
  readonly query: UsageQuery;
  /** Ordered by start, tool and consumer. */
  readonly rows: readonly UsageRow[];
  readonly scope: FeeScope;
}

/**
 * Rates each row; a row's money stands at the row's place. Must run in the snapshot that read the rows, so that calls
 * and money agree.
 */
async function rateRows(tx: Transaction, { query, rows, scope }: RowsToRate): Promise<UsageMoney[]> {
  if (rows.length === 0) return [];
  const { accountId, role, toolId, fromMs, toMs, tags = [] } = query;
  const rated = createRatedRows(query, tags.length > 0 ? await readPassTags(tx, accountId) : new Map());
  // Passes share a month by the hour: so their rows by hour, day and month agree.
  const cut = isByPass(query)
    ? ({ granularity: 'hour', byPass: true } as const)
    : { granularity: query.granularity ?? 'month' };
  const sinceMs = periodBounds(periodOf(fromMs)).start; // tiers start from 0 at the beginning of a month
  for await (const lines of rateUsageOverTime(tx, { accountId, role, toolId, sinceMs, fromMs, toMs, ...cut })) {
    rated.add(lines);
  }
  const byRow = await mapInTurns(rows, (row) => rated.of(row));
  if (role === 'consumer')
    return mapInTurns(byRow, (ofRow) => ({ chargeMicros: sumMicros(ofRow.map((charge) => charge.chargeMicros)) }));
  const gross = await rateGrossBefore(tx, { builderId: accountId, scope, beforeMs: fromMs });
  return splitRows(byRow, { scope, gross });
}

/** Adds up rated lines for each row of an answer, by month, since the fee may start anew each month. */
export interface RatedRows {
  add(lines: readonly TimedLine[]): void;
  /** The charges of a row, ordered by month; empty if nothing was billable. */
  of(row: UsageRow): PeriodCharge[];
}

/** `tagsOf` has the tags of a pass by its id. */
function createRatedRows(query: UsageQuery, tagsOf: ReadonlyMap<string, PassTags>): RatedRows {
  const { granularity, groupBy, tags = [] } = query;
  const isDivided = isByPass(query);
  const charges = new Map<string, Map<string, Micros>>();
  return {
    add(lines) {
      for (const line of lines.filter(isOfRow)) addLine(line);
    },
    of(row) {
      const { startMs, toolId, consumerId, passId, tags: ofRow } = row;
      const key = keyOf([startMs, toolId, consumerId, passId ?? undefined, textOf(ofRow)]);
      const byPeriod = charges.get(key) ?? new Map<string, Micros>();
      return [...byPeriod].sort(inTimeOrder).map(([period, chargeMicros]) => ({ period, chargeMicros }));
    },
  };

  function addLine({ startMs, toolId, consumerId, passId, period, chargeMicros }: TimedLine): void {
    const key = keyOf([
      granularity && (isDivided ? startOf(granularity, startMs) : startMs),
      groupBy.has('tool_id') ? toolId : undefined,
      groupBy.has('consumer_id') ? consumerId : undefined,
      groupBy.has('pass_id') ? passId : undefined,
      textOf(tags.map((name) => tagOf(passId, name))),
    ]);
    const byPeriod = charges.get(key) ?? new Map<string, Micros>();
    charges.set(key, byPeriod.set(period, micros((byPeriod.get(period) ?? zeroMicros) + chargeMicros)));
  }

  function tagOf(passId: string | undefined, name: string): string | null {
    const ofPass = passId === undefined ? {} : (tagsOf.get(passId) ?? {});
    return Object.hasOwn(ofPass, name) ? (ofPass[name] ?? null) : null;
  }
}

/** Lines that are divided by pass are of hours; their rows may be of days or months. */
function startOf(granularity: Granularity, ms: number): number {
  if (granularity === 'month') return periodBounds(periodOf(ms)).start;
  return granularity === 'day' ? Math.floor(ms / dayMs) * dayMs : ms;
}

/** A line from before the first row starts at -Infinity. It has only moved the tiers on, and belongs to no row. */
function isOfRow({ startMs }: TimedLine): boolean {
  return Number.isFinite(startMs);
}

/** Tags may have any characters. */
function textOf(tags: readonly (string | null)[] = []): string {
  return tags.length === 0 ? '' : JSON.stringify(tags);
}

function keyOf(dimensions: readonly (string | number | undefined)[]): string {
  return dimensions.map((dimension) => dimension ?? '').join(' ');
}

function inTimeOrder([left]: readonly [string, Micros], [right]: readonly [string, Micros]): number {
  return left < right ? -1 : 1;
}
