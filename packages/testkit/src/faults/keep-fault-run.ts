import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

import { systemClock, toIso } from '@tollgate/kernel/clock';
import type { FaultRun } from './fault-report.ts';
import { changeFaultReport, repository } from './report-files.ts';
import { withUntested } from './rows-of-tests.ts';

export interface FaultRunFigures {
  readonly size: string;
  readonly seed: number;
  readonly acknowledged: number;
  readonly faults: number;
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  /** One for each fault, in any order; at least one. */
  readonly recoveriesMs: readonly number[];
}

/** Adds a run under random faults to docs/faults.json and its page, with the commit and the machine that it ran on. */
export function keepFaultRun(figures: FaultRunFigures): void {
  const { size, seed, acknowledged, faults, lost, doubled, invented, recoveriesMs } = figures;
  const run: FaultRun = {
    size,
    date: toIso(systemClock.now()),
    seed,
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: repository, encoding: 'utf8' }).trim(),
    machine: machine(),
    events_acknowledged: acknowledged,
    faults,
    lost,
    doubled,
    invented,
    recovery_ms: { p50: percentile(recoveriesMs, 0.5), p99: percentile(recoveriesMs, 0.99) },
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

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN);
}
