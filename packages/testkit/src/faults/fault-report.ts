/** What runs under load and random faults came to. Kept from run to run. */
export interface FaultRun {
  /** Of the random schedule: `seconds`, `minutes`, `hours`, or what was run by hand. */
  readonly size: string;
  readonly date: string;
  readonly seed: number;
  readonly commit: string;
  readonly machine: string;
  readonly events_acknowledged: number;
  /** Not acknowledged, and perhaps recorded all the same: of these each client knows that it does not know. */
  readonly events_unknown: number;
  readonly faults: number;
  /** Acknowledged and not counted. */
  readonly lost: number;
  /** Counted more than once. */
  readonly doubled: number;
  /** Counted and never sent. */
  readonly invented: number;
  /** From the end of a fault to serving again. */
  readonly recovery_ms: Percentiles;
  /** The same for each kind of fault. Those that struck together are recovered from together. */
  readonly kinds: Readonly<Record<string, { readonly faults: number; readonly recovery_ms: Percentiles }>>;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface FaultRow {
  readonly id: string;
  readonly guarantee: string;
  /** `path: title`, the title down to the part that names the id; null where there is none. */
  readonly test: string | null;
  readonly status: 'passed' | 'failed' | 'skipped' | 'untested';
}

/** `docs/faults.json`: written by runs, never by hand. */
export interface FaultReport {
  readonly runs: readonly FaultRun[];
  readonly rows: readonly FaultRow[];
}
