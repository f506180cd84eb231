/** A process whose CPU is read before and after each round. */
export interface MeasuredProcess {
  readonly name: string;
  readonly pid: number;
  /** A server that forks, such as PostgreSQL: its whole process tree counts. */
  readonly isTree?: boolean;
}

/** The outcome of one round of one side. */
export interface Measurement {
  /** In the row's unit. */
  readonly value: number;
  /** The events that the CPU of the round is divided by. */
  readonly events: number;
  /** Memory at the end of the round as a multiple of that at its beginning, where the side measures it. */
  readonly growth?: number;
  /** The bytes that an event took of PostgreSQL's disk, where the side measures it. */
  readonly bytesPerEvent?: { readonly wal: number; readonly tables: number };
}

/** One of the two things that a row compares: the product, or the ceiling. */
export interface Side {
  readonly processes: readonly MeasuredProcess[];
  /** True: the first round counts as well, since each begins with processes of its own or opening them was work enough. */
  readonly isWarm?: boolean;
  /** Makes what the next round needs, outside of its time and CPU. */
  prepare?(): Promise<void>;
  measure(): Promise<Measurement>;
  close(): Promise<void>;
}

export interface RowContext {
  /** The checkout whose built program is measured. */
  readonly root: string;
  /** How long the load of one round lasts. */
  readonly seconds: number;
  readonly sizes: Sizes;
  readonly progress: (text: string) => void;
}

/** Given on the command line; each row has a default of its own. */
export interface Sizes {
  readonly events?: number;
  readonly pairs?: number;
  readonly outageSeconds?: number;
}

/** Exactly one bound. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Goal {
  /** `ratio`: ours divided by the ceiling. `figure`: ours alone. */
  readonly of: 'ratio' | 'figure';
  readonly bound: Bound;
}

export interface Row<Ours extends Side = Side> {
  readonly id: string;
  /** Several rows that one id on the command line runs together: R8 runs R8a to R8d. */
  readonly family?: string;
  readonly ours: string;
  /** Rows of one run put the same load on the same two sides, so all are judged from the same rounds. */
  readonly run?: string;
  /** Undefined: the row has no ceiling, and its goal is absolute. */
  readonly ceiling: string | undefined;
  readonly unit: string;
  /**
   * `value`: what each round measured. `cpu`: CPU per event of all processes of the side. `growth`: memory at the end against
   * the beginning.
   */
  readonly figure: 'value' | 'cpu' | 'growth';
  readonly isHigherBetter: boolean;
  readonly goal: Goal;
  /** True where `openOurs` drives the built program of any checkout, so that `--compare` can run two. */
  readonly isComparable: boolean;
  /** True where the figure is no time and no CPU: who else uses the machine cannot move it. */
  readonly isUnmovedByOthers?: boolean;
  /** The size that the claim is about. A run at less says so beside its verdict. */
  readonly fullSize?: Sizes;
  openOurs(context: RowContext): Promise<Ours>;
  openCeiling?(context: RowContext, ours: Ours): Promise<Side>;
}

/** Keeps the type of `ours` for `openCeiling`. */
export function defineRow<Ours extends Side>(row: Row<Ours>): Row {
  return row as unknown as Row; // openCeiling is only ever given what openOurs of the same row returned
}
