import { byKind, recoveryOf } from '@tollgate/testkit/faults/keep-fault-run';
import type { StormReport } from './run-storm.ts';

const shownMax = 50;

/** The figures of a storm, for a person. */
export function describeStorm(seed: number, report: StormReport): string {
  const { faults, violations, endedByThemselves, ...figures } = report;
  const kinds = Object.entries(byKind(faults));
  const sums = { seed, faults: faults.length, kinds: kinds.length, ...figures, recovery_ms: recoveryOf(faults) };
  return [
    `done: ${JSON.stringify(sums)}`,
    `ended by themselves: ${JSON.stringify(endedByThemselves)}`,
    ...kinds.map(([kind, facts]) => `  ${kind.padEnd(50)} ${JSON.stringify(facts)}`),
    ...violations.slice(0, shownMax),
    violations.length === 0 ? 'nothing is lost, doubled or invented' : `${violations.length} violations`,
  ].join('\n');
}
