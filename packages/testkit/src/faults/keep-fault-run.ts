import { cpus, totalmem } from 'node:os';

import { systemClock, toIso } from '@tollgate/kernel/clock';
import { changeFaultPage } from './change-fault-page.ts';
import { withRun, type FaultRun, type Percentiles } from './fault-page.ts';
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
  const commit = cleanCommit();
  if (commit === undefined) {
    process.stderr.write('The run is not recorded in docs/faults.md: there are uncommitted changes.\n');
    return;
  }
  const run: FaultRun = {
    ...figures,
    date: toIso(systemClock.now()).slice(0, 10),
    commit,
    machine: machine(),
    faults: figures.faults.length,
    recoveryMs: recoveryOf(figures.faults),
  };
  changeFaultPage((page) => withRun(page, run));
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
