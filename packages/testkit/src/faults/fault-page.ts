import { faultCatalogue } from './fault-catalogue.ts';
import { worstOf, type FaultResult, type TestStatus } from './results-of-tests.ts';

/** A run under random faults, as the page shows it. */
export interface FaultRun {
  /** `seconds`, `minutes`, `10 kills`, or the minutes of a run that was started by hand. */
  readonly size: string;
  /** `2026-11-22`. */
  readonly date: string;
  readonly seed: number;
  readonly commit: string;
  readonly machine: string;
  readonly acknowledged: number;
  /** Events without a 2xx. They may be recorded all the same, and no client can know. */
  readonly unknown: number;
  readonly faults: number;
  /** Acknowledged and not counted. */
  readonly lost: number;
  /** Counted more than once. */
  readonly doubled: number;
  /** Counted and never sent. */
  readonly invented: number;
  /** From the end of a fault until the service works again. */
  readonly recoveryMs: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** A whole run of a lane, as the page shows it; each lane shows its last. */
export interface LaneRun {
  readonly lane: 'short' | 'long';
  /** `2026-11-22`. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly minutes: number;
  readonly passed: number;
  readonly failed: number;
}

const beginOfLanes = '<!-- lanes -->\n';
const endOfLanes = '<!-- /lanes -->\n';
const endOfRuns = '<!-- /runs -->\n';
const beginOfFaults = '<!-- faults -->\n';
const endOfFaults = '<!-- /faults -->\n';
const statusOfFile = /`([^`]+)`(?: \((\d+)\))?(?: (failed|skipped))?/g;

/** The page with one more run. */
export function withRun(page: string, run: FaultRun): string {
  const [before, after] = partAt(page, endOfRuns);
  const { recoveryMs, acknowledged, unknown, faults } = run;
  const figures = [acknowledged, unknown, faults].map((figure) => figure.toLocaleString('en-US'));
  const whatWentWrong = [run.lost, run.doubled, run.invented];
  const cells = [run.date, run.size, run.seed, run.commit, run.machine, ...figures, ...whatWentWrong];
  return `${before}${row([...cells, `${recoveryMs.p50} / ${recoveryMs.p99} ms`])}\n${endOfRuns}${after}`;
}

/** The page with this run in place of the last run of its lane. */
export function withLaneRun(page: string, run: LaneRun): string {
  const [before, rest] = partAt(page, beginOfLanes);
  const [table, after] = partAt(rest, endOfLanes);
  const cells = [
    run.lane,
    run.date,
    run.commit,
    run.machine,
    run.minutes,
    run.passed.toLocaleString('en-US'),
    run.failed,
  ];
  const others = table.split('\n').filter((line) => line !== '' && !line.startsWith(`| ${run.lane} `));
  return `${before}${beginOfLanes}${[...others, row(cells)].join('\n')}\n${endOfLanes}${after}`;
}

/** The page with these results and no others; a fault without a result is `untested`. */
export function withResults(page: string, results: readonly FaultResult[]): string {
  const [before, rest] = partAt(page, beginOfFaults);
  const [, after] = partAt(rest, endOfFaults);
  const perFault = Map.groupBy(results, ({ id }) => id);
  const rows = Object.entries(faultCatalogue).map(([id, promise]) => faultRow(id, promise, perFault.get(id) ?? []));
  const table = ['| Fault | Promise | Test files | Lane | Last result |', '|---|---|---|---|---|', ...rows];
  return `${before}${beginOfFaults}${table.join('\n')}\n${endOfFaults}${after}`;
}

/** The results that the page shows. */
export function readResults(page: string): FaultResult[] {
  const [, rest] = partAt(page, beginOfFaults);
  const [table] = partAt(rest, endOfFaults);
  return table.split('\n').flatMap((line) => {
    const [, id, , files = ''] = /^\| (F\d+) \| (.*) \| (.*) \| .* \| \w+ \|$/.exec(line) ?? [];
    if (id === undefined) return [];
    return Array.from(files.matchAll(statusOfFile), ([, file = '', tests = '1', status = 'passed']) => ({
      id,
      file,
      tests: Number(tests),
      status: status as TestStatus, // the pattern lets no other through
    }));
  });
}

function faultRow(id: string, promise: string, results: readonly FaultResult[]): string {
  const sorted = results.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const last = results.length > 0 ? worstOf(results.map(({ status }) => status)) : 'untested';
  return row([id, promise, sorted.map(fileCell).join('<br>'), laneOf(results), last]);
}

function laneOf(results: readonly FaultResult[]): string {
  const [long, short] = [results.some(isOfLongLane), results.some((result) => !isOfLongLane(result))];
  if (long && short) return 'both';
  return long ? 'long' : short ? 'short' : '';
}

function isOfLongLane({ file }: FaultResult): boolean {
  return file.endsWith('.long.int.test.ts');
}

/** The file; with how many titles where there are several, and with its result unless it passed. */
function fileCell({ file, tests, status }: FaultResult): string {
  return `\`${file}\`${tests > 1 ? ` (${tests})` : ''}${status === 'passed' ? '' : ` ${status}`}`;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

function partAt(page: string, mark: string): [before: string, after: string] {
  const at = page.indexOf(mark);
  if (at < 0) throw new Error(`docs/faults.md lacks the line ${mark.trim()}`);
  return [page.slice(0, at), page.slice(at + mark.length)];
}
