/** One side of a comparison: how many, and what they come to. */
export interface ReconciledSide {
  readonly what: string;
  readonly count: bigint;
  /** A plain decimal, in the step's unit. */
  readonly sum: string;
}

export interface ReconcileStep {
  readonly name: 'events_rollups' | 'rollups_lines' | 'lines_ledger' | 'ledger_processor';
  /** What the sums are of: calls or US dollars. */
  readonly unit: 'calls' | 'usd';
  readonly left: ReconciledSide;
  readonly right: ReconciledSide;
  /** Rows that differ, in all. */
  readonly differing: number;
  /** The first of them, as text. */
  readonly rows: readonly string[];
  /** What could not be compared, and why. */
  readonly note: string | null;
}

export interface Reconciliation {
  readonly period: string;
  readonly accountId: string | null;
  /** Nothing differs in any step. */
  readonly isEqual: boolean;
  readonly steps: readonly ReconcileStep[];
}

/** What is reconciled: a period, of everybody or of one account, as consumer and as builder. */
export interface ReconcileScope {
  readonly period: string;
  readonly accountId: string | undefined;
}

const rowsMax = 20;

/** The first rows, and how many there are. */
export function differingRows(rows: readonly string[]): Pick<ReconcileStep, 'differing' | 'rows'> {
  return { differing: rows.length, rows: rows.slice(0, rowsMax) };
}
