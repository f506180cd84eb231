import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';

/** One side of a comparison: how many rows, and their sum. */
interface ReconciledSide {
  readonly what: string;
  readonly count: bigint;
  /** A plain decimal, in the unit of the step. */
  readonly sum: string;
}

export interface ReconcileStep {
  readonly name:
    | 'events_rollups'
    | 'events_keys'
    | 'rollups_seals'
    | 'rollups_lines'
    | 'lines_ledger'
    | 'ledger_processor'
    | 'caps_usage'
    | 'grants_calls'
    | 'own_payouts'
    | 'inbox_events'
    | 'cash_balance';
  /** The unit of the sums: calls, US dollars, or events of the processor. */
  readonly unit: 'calls' | 'usd' | 'events';
  readonly left: ReconciledSide;
  readonly right: ReconciledSide;
  /** The number of all rows that differ. */
  readonly differing: number;
  /** The first 20 of these rows, as text. */
  readonly rows: readonly string[];
  /** The part that could not be compared, with the reason; null if all was compared. */
  readonly note: string | null;
}

export interface Reconciliation {
  readonly period: string;
  readonly accountId: string | null;
  /** No step has a row that differs. */
  readonly isEqual: boolean;
  readonly steps: readonly ReconcileStep[];
}

/** The scope: a period of everybody, or of one account as consumer and builder. */
export interface ReconcileScope {
  readonly period: string;
  readonly accountId: string | undefined;
  /** Compares every key of events. By default a sample of each day. */
  readonly withAllKeys?: boolean;
}

const rowsMax = 20;

/** The number of rows, and the first of them. */
export function differingRows(rows: readonly string[]): Pick<ReconcileStep, 'differing' | 'rows'> {
  return { differing: rows.length, rows: rows.slice(0, rowsMax) };
}

/** Converts a reconciliation to the API's form, which the CLI also prints. */
export function toApiReconciliation({ period, accountId, isEqual, steps }: Reconciliation) {
  return { period, account_id: accountId, equal: isEqual, steps: steps.map(toApiStep) };
}

function toApiStep({ name, unit, left, right, differing, rows, note }: ReconcileStep) {
  return { name, unit, equal: differing === 0, left: toApiSide(left), right: toApiSide(right), differing, rows, note };
}

function toApiSide({ what, count, sum }: ReconciledSide) {
  return { what, count: toJsonInteger(count), sum };
}
