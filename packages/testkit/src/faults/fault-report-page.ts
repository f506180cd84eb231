import type { FaultReport, FaultRow, FaultRun } from './fault-report.ts';

/** `docs/faults.md`: the report for people to read. */
export function faultReportPage({ runs, rows }: FaultReport): string {
  const byId = Map.groupBy(rows, ({ id }) => id);
  const untested = [...byId.values()].filter(([row]) => row?.status === 'untested').length;
  return [
    '# What is broken on purpose, and what holds',
    'Written by `pnpm faults`, which runs every test, and by the runs under load; never by hand. `docs/faults.json` names each test.',
    '## Runs under random faults',
    runs.length > 0 ? tableOfRuns(runs) : 'None is kept yet.',
    ...runs.slice(-1).map(tableOfKinds),
    '## Faults',
    `${byId.size - untested} of ${byId.size} faults have a test of their own.`,
    tableOfRows(byId),
  ]
    .join('\n\n')
    .concat('\n');
}

function tableOfRuns(runs: readonly FaultRun[]): string {
  return [
    '| Date | Size | Seed | Commit | Machine | Acknowledged | Unknown | Faults | Lost | Doubled | Invented | Recovery p50 / p99 |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...runs.map((run) =>
      row([
        run.date.slice(0, 10),
        run.size,
        run.seed,
        run.commit,
        run.machine,
        run.events_acknowledged.toLocaleString('en-US'),
        run.events_unknown.toLocaleString('en-US'),
        run.faults.toLocaleString('en-US'),
        run.lost,
        run.doubled,
        run.invented,
        `${run.recovery_ms.p50} / ${run.recovery_ms.p99} ms`,
      ]),
    ),
  ].join('\n');
}

function tableOfKinds({ size, date, kinds }: FaultRun): string {
  return [
    `Of the latest, ${size} on ${date.slice(0, 10)}, by kind; faults that struck together were recovered from together:`,
    '',
    '| Fault | How often | Recovery p50 / p99 |',
    '|---|---|---|',
    ...Object.entries(kinds).map(([kind, { faults, recovery_ms }]) =>
      row([kind, faults, `${recovery_ms.p50} / ${recovery_ms.p99} ms`]),
    ),
  ].join('\n');
}

function tableOfRows(byId: ReadonlyMap<string, readonly FaultRow[]>): string {
  return [
    '| Fault | What holds | Tests | Result |',
    '|---|---|---|---|',
    ...[...byId].map(([id, rows]) => row([id, rows[0]?.guarantee ?? '', placesOf(rows), resultOf(rows)])),
  ].join('\n');
}

/** The files of its tests; where there are several tests in one, how many. */
function placesOf(rows: readonly FaultRow[]): string {
  const files = Map.groupBy(
    rows.flatMap(({ test }) => test ?? []),
    (test) => test.split(': ', 1)[0] ?? '',
  );
  return [...files].map(([file, tests]) => `\`${file}\`${tests.length > 1 ? ` (${tests.length})` : ''}`).join('<br>');
}

function resultOf(rows: readonly FaultRow[]): string {
  const counts = Map.groupBy(rows, ({ status }) => status);
  if (counts.size === 1) return rows[0]?.status ?? '';
  return [...counts].map(([status, those]) => `${those.length} ${status}`).join(', ');
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
