import { cpus, totalmem } from 'node:os';

import { systemClock, toIso } from '@tollgate/kernel/clock';
import { changeFaultPage } from './change-fault-page.ts';
import { withLaneRun, withRun, type FaultRun, type LaneRun, type Percentiles } from './fault-page.ts';
import { cleanCommit } from './repository.ts';

export interface FaultRunFigures extends Omit<FaultRun, 'date' | 'commit' | 'machine' | 'faults' | 'recoveryMs'> {
  /** At least one. */
  readonly faults: readonly StruckFault[];
}

export interface StruckFault {
  readonly kind: string;
  /** From the end of the fault until the service works again. */
  readonly recoveryMs: number;
}

interface KindOfFault {
  readonly faults: number;
  readonly recovery_ms: Percentiles;
}

/** Adds a run under random faults to docs/faults.md, with the commit and the machine that it ran on. */
export function keepFaultRun(figures: FaultRunFigures): void {
  const where = whereItRan();
  if (where === undefined) return;
  const run: FaultRun = { ...figures, ...where, faults: figures.faults.length, recoveryMs: recoveryOf(figures.faults) };
  changeFaultPage((page) => withRun(page, run));
}

/** Puts a whole run of a lane into docs/faults.md, in place of the last one. */
export function keepLaneRun(run: Omit<LaneRun, 'date' | 'commit' | 'machine'>): void {
  const where = whereItRan();
  if (where !== undefined) changeFaultPage((page) => withLaneRun(page, { ...run, ...where }));
}

function whereItRan(): Pick<FaultRun, 'date' | 'commit' | 'machine'> | undefined {
  const commit = cleanCommit();
  if (commit !== undefined) return { date: toIso(systemClock.now()).slice(0, 10), commit, machine: machine() };
  process.stderr.write('The run is not recorded in docs/faults.md: there are uncommitted changes.\n');
  return undefined;
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}

/** Per kind: how often it struck, and how long recovery took. */
export function byKind(faults: readonly StruckFault[]): Readonly<Record<string, KindOfFault>> {
  const kinds = [...Map.groupBy(faults, ({ kind }) => kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    kinds.map(([kind, those]) => [kind, { faults: those.length, recovery_ms: recoveryOf(those) }]),
  );
}

export function recoveryOf(faults: readonly StruckFault[]): Percentiles {
  const sorted = faults.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99) };
}
