import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

import { systemClock, toIso } from '@tollgate/kernel/clock';
import type { FaultRun, Percentiles } from './fault-report.ts';
import { changeFaultReport, repository } from './report-files.ts';
import { withUntested } from './rows-of-tests.ts';

export interface FaultRunFigures {
  readonly size: string;
  readonly seed: number;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  /** At least one. */
  readonly faults: readonly StruckFault[];
}

export interface StruckFault {
  readonly kind: string;
  /** From its end until all goes on. */
  readonly recoveryMs: number;
}

/** Adds a run under random faults to docs/faults.json and its page, with the commit and the machine that it ran on. */
export function keepFaultRun(figures: FaultRunFigures): void {
  const { size, seed, acknowledged, unknown, lost, doubled, invented, faults } = figures;
  const run: FaultRun = {
    size,
    date: toIso(systemClock.now()),
    seed,
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: repository, encoding: 'utf8' }).trim(),
    machine: machine(),
    events_acknowledged: acknowledged,
    events_unknown: unknown,
    faults: faults.length,
    lost,
    doubled,
    invented,
    recovery_ms: recoveryOf(faults),
    kinds: byKind(faults),
  };
  changeFaultReport(({ runs, rows }) => ({
    runs: [...runs, run],
    rows: withUntested(rows.filter(({ test }) => test !== null)),
  }));
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}

/** How often each kind struck, and how long recovery took. */
export function byKind(faults: readonly StruckFault[]): FaultRun['kinds'] {
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
