import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { Usage } from './read-usage.ts';
import type { UsageMoney } from './usage-money.ts';
import type { UsageRow, UsageTotals } from './usage-row.ts';
import { toJsonInteger } from '@tollgate/runtime/http/to-json-integer';

/** Dimensions that were not asked for are left out of the rows. */
export function toApiUsage({ rows, totals, countedThroughMs }: Usage) {
  return { usage: rows.map(toApiRow), totals: toApiSums(totals), counted_through: toIso(countedThroughMs) };
}

function toApiRow(row: UsageRow) {
  const { startMs, toolId, consumerId, success } = row;
  return {
    ...(startMs !== undefined && { start: toIso(startMs) }),
    ...(toolId !== undefined && { tool_id: toolId }),
    ...(consumerId !== undefined && { consumer_id: consumerId }),
    ...(success !== undefined && { success }),
    ...toApiSums(row),
  };
}

function toApiSums({ calls, successes, failures, durationMs, measures, money }: UsageTotals) {
  return {
    calls: toJsonInteger(calls),
    successes: toJsonInteger(successes),
    failures: toJsonInteger(failures),
    duration_ms: toJsonInteger(durationMs),
    measures: Object.fromEntries(measures), // defines, never assigns: a key may be named __proto__
    ...(money && toApiMoney(money)),
  };
}

function toApiMoney({ chargeMicros, split }: UsageMoney) {
  return {
    charge_usd: toUsdNumber(chargeMicros),
    ...(split && { earning_usd: toUsdNumber(split.earningMicros), fee_usd: toUsdNumber(split.feeMicros) }),
  };
}
