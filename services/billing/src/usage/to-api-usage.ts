import { toIso } from '@tollgate/kernel/clock';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { Usage } from './read-usage.ts';
import type { UsageMoney } from './usage-money.ts';
import type { UsageRow, UsageTotals } from './usage-row.ts';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';

/** Converts usage to the text of the answer. Rows have only the dimensions, and the tags, that the query groups by. */
export async function toUsageText(
  { rows, totals, countedThroughMs }: Usage,
  tags: readonly string[] = [],
): Promise<string> {
  const usage = await mapInTurns(rows, (row) => JSON.stringify(toApiRow(row, tags)));
  const end = JSON.stringify({ totals: toApiSums(totals), counted_through: toIso(countedThroughMs) });
  return `{"usage":[${usage.join(',')}],${end.slice(1)}`;
}

function toApiRow(row: UsageRow, tags: readonly string[]) {
  const { startMs, toolId, consumerId, success, passId, tags: values } = row;
  return {
    ...(startMs !== undefined && { start: toIso(startMs) }),
    ...(toolId !== undefined && { tool_id: toolId }),
    ...(consumerId !== undefined && { consumer_id: consumerId }),
    ...(success !== undefined && { success }),
    ...(passId !== undefined && { pass_id: passId }),
    ...(values && { tags: Object.fromEntries(tags.map((name, index) => [name, values[index] ?? null])) }),
    ...toApiSums(row),
  };
}

function toApiSums({ calls, successes, failures, durationMs, measures, money }: UsageTotals) {
  return {
    calls: toJsonInteger(calls),
    successes: toJsonInteger(successes),
    failures: toJsonInteger(failures),
    duration_ms: toJsonInteger(durationMs),
    measures: Object.fromEntries(measures), // defines properties, never assigns them: a key may be named __proto__
    ...(money && toApiMoney(money)),
  };
}

function toApiMoney({ chargeMicros, split }: UsageMoney) {
  return {
    charge_usd: toUsdNumber(chargeMicros),
    ...(split && { earning_usd: toUsdNumber(split.earningMicros), fee_usd: toUsdNumber(split.feeMicros) }),
  };
}
