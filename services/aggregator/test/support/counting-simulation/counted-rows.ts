import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { formatMillionths } from '@tollgate/testkit/load/load-event';
import { measure, measuredTool } from './report.ts';

/**
 * All that counting leaves, a line a row, in no order, so that a model, a database and the plain truth can be compared.
 *
 * - cursors: partition, next offset
 * - keys: event id, account, body hash, time
 * - events: account, event id, tool, occurred at, received at, success, duration, units, key, pass; '-' for none
 * - rollups: account, tool, hour, success, pass if there is one, calls, duration
 * - measures: account, tool, hour, success, pass if there is one, units in all
 * - deadLetters: partition, offset, code, account, event id; '-' for none
 */
export type CountedRows = Readonly<Record<CountedTable, readonly string[]>>;

export type CountedTable = 'cursors' | 'keys' | 'events' | 'rollups' | 'measures' | 'deadLetters';

export interface CountedParts {
  readonly cursors: Iterable<readonly [partition: number, nextOffset: bigint]>;
  /** The events whose keys were claimed. */
  readonly keyed: Iterable<UsageEventRecord>;
  readonly events: Iterable<UsageEventRecord>;
  readonly folds: Iterable<readonly [row: string, fold: Fold]>;
  readonly deadLetters: Iterable<string>;
}

/** The sums of one account, tool, hour, outcome and pass. */
export interface Fold {
  calls: number;
  durationMs: number;
  /** Millionths; undefined while no event had any. */
  units: bigint | undefined;
}

export function toCountedRows({ cursors, keyed, events, folds, deadLetters }: CountedParts): CountedRows {
  const sums = [...folds];
  return {
    cursors: Array.from(cursors, ([partition, nextOffset]) => `${partition} ${nextOffset}`),
    keys: Array.from(keyed, keyLine),
    events: Array.from(events, eventLine),
    rollups: sums.map(([row, { calls, durationMs }]) => `${row} ${calls} ${durationMs}`),
    measures: sums.flatMap(([row, { units }]) => (units === undefined ? [] : [`${row} ${formatMillionths(units)}`])),
    deadLetters: [...deadLetters],
  };
}

/** Adds one event, as counting/sql-fold.ts does. */
export function addToFolds(folds: Map<string, Fold>, event: UsageEventRecord): void {
  const { consumer_id: consumerId, tool_id: toolId, occurred_at: occurredAt, success } = event;
  const pass = event.pass_id === undefined ? '' : ` ${event.pass_id}`;
  const row = `${consumerId} ${toolId} ${occurredAt.slice(0, 13)} ${success}${pass}`;
  const fold = folds.get(row) ?? { calls: 0, durationMs: 0, units: undefined };
  fold.calls += 1;
  fold.durationMs += event.duration_ms ?? 0;
  const units = event.metadata?.[measure];
  if (toolId === measuredTool && units !== undefined) fold.units = (fold.units ?? 0n) + toMillionths(String(units));
  folds.set(row, fold);
}

/** Without its place. */
export function deadLetterLine(code: string, event?: UsageEventRecord): string {
  return `${code} ${event?.consumer_id ?? '-'} ${event?.event_id ?? '-'}`;
}

function keyLine(event: UsageEventRecord): string {
  return `${event.event_id} ${event.consumer_id} ${event.body_hash} ${event.occurred_at}`;
}

function eventLine(event: UsageEventRecord): string {
  return [
    event.consumer_id,
    event.event_id,
    event.tool_id,
    event.occurred_at,
    event.received_at,
    event.success,
    event.duration_ms ?? '-',
    event.metadata?.[measure] ?? '-',
    event.idempotency_key ?? '-',
    event.pass_id ?? '-',
  ].join(' ');
}

/** Converts a decimal with at most six places. */
function toMillionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}
