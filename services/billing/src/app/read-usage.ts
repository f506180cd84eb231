import { AppError } from '@tollgate/kernel/app-error';
import type { UsageQuery } from '../domain/usage-query.ts';
import type { UsageRow, UsageSums } from '../domain/usage-row.ts';
import { totalUsage } from '../domain/usage-totals.ts';
import type { UsageReader } from './ports.ts';

/** An answer of 10,000 rows is some 2 MB of JSON; a year of hours (8,784 rows) of one tool still fits. */
const usageRowsMax = 10_000;

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly totals: UsageSums;
  readonly countedThroughMs: number;
}

export function createReadUsage({ usage }: { usage: UsageReader }) {
  return async function readUsage(query: UsageQuery): Promise<Usage> {
    const { countedThroughMs, rows } = await usage.read(query, usageRowsMax + 1); // one more tells "all" from "too many"
    if (rows.length > usageRowsMax) throw tooManyRows();
    return { rows, totals: totalUsage(rows), countedThroughMs };
  };
}

export type ReadUsage = ReturnType<typeof createReadUsage>;

function tooManyRows(): AppError {
  const message = `would make more than ${usageRowsMax} rows: ask for fewer hours, a coarser granularity, fewer dimensions in group_by, or one tool_id`;
  return new AppError('invalid', 'invalid_request', `The query ${message}.`, {
    errors: [{ pointer: '/from', code: 'too_many_rows', message }],
  });
}
