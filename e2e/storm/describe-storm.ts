import type { StormReport, StruckFault } from './run-storm.ts';

const shownMax = 50;

/** The figures of a storm, for a person. */
export function describeStorm(seed: number, report: StormReport): string {
  const { faults, violations, endedByThemselves, ...figures } = report;
  const byKind = [...Map.groupBy(faults, ({ kind }) => kind)].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    `done: ${JSON.stringify({ seed, faults: faults.length, kinds: byKind.length, ...figures, recovery_ms: percentiles(faults) })}`,
    `ended by themselves: ${JSON.stringify(endedByThemselves)}`,
    ...byKind.map(
      ([kind, those]) => `  ${kind.padEnd(50)} ${JSON.stringify({ faults: those.length, ...percentiles(those) })}`,
    ),
    ...violations.slice(0, shownMax),
    violations.length === 0 ? 'nothing is lost, doubled or invented' : `${violations.length} violations`,
  ].join('\n');
}

function percentiles(faults: readonly StruckFault[]): { p50: number; p99: number } {
  const sorted = faults.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
