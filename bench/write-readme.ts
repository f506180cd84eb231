import { writeFileSync } from 'node:fs';
import { describeGoal } from './judge-row.ts';
import { readResult, type EarlierRun, type Result } from './result-files.ts';
import { renderTable } from './render-table.ts';
import type { Row } from './row.ts';
import { rows } from './rows.ts';

const file = new URL('README.md', import.meta.url);

/** Writes bench/README.md from the rows and their valid results. */
export function writeReadme(): void {
  writeFileSync(file, renderReadme());
}

function renderReadme(): string {
  const taken = rows.map((row) => ({ row, result: readResult(row.id) }));
  const paragraphs = [
    head,
    renderRows(
      ['Row', 'Ours', 'Ceiling', 'Goal', 'Ceiling taken', 'Figure', 'Ratio', 'Spread', 'Met', 'Commit', 'Run before'],
      taken.map(({ row, result }) => renderRow(row, result)),
    ),
    '## CPU per event\n\nMicroseconds of CPU per event by process, medians over the rounds of the same results.',
    renderRows(
      ['Row', 'Ours', 'Ceiling'],
      taken.flatMap(({ row, result }) => (result === undefined ? [] : [renderCpu(row, result)])),
    ),
    tail,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

const head = `# How fast it is

\`pnpm bench\` writes this page; do not edit it.
Absolute figures of a shared machine say little. Each row therefore measures its own ceiling in the same run, ceiling and ours in turn, and its goal is a ratio.
The load comes from a process of its own. A round in which others used more than 10 % of the machine is taken again. A shared machine also changes its speed: more rounds are taken, up to thrice as many, until the ceilings of five are within 10 % of each other, and those five count; what ours did in them has no say. A run is void when its ceilings stay further apart, when others disturbed more rounds than were to be taken, or with fewer than five rounds. Void runs are not listed here. [NOTES.md](NOTES.md) has what studies found whose rows are gone. The last column has the ratio of the valid run before, or its figure where there is no ceiling. Some rows may be taken at less than the size of their claim, and then say so beside the verdict.`;

const tail = `## How to run it

\`\`\`sh
pnpm bench --list            # the rows
pnpm bench R1 R4             # these rows, five rounds each
pnpm bench R8 --rounds 9     # all rows of a family
pnpm bench --compare HEAD~1 R1 R4
\`\`\`

\`--compare\` builds the other commit in a worktree of its own and measures both checkouts in turn. It exits with 1 when this one is slower.
The HTTP rows need \`wrk\`. The distributed rows need Java 17, Maven and redis-server as well.`;

function renderRow(row: Row, result: Result | undefined): string[] {
  const what = [row.id, row.ours, row.ceiling ?? 'none', describeGoal(row)];
  if (result === undefined) return [...what, 'never taken', '', '', '', '', '', ''];
  const { ceiling, figure, ratio, spread, met, smaller = [], commit, before } = result;
  return [
    ...what,
    ceiling ? `${ceiling.median} ${ceiling.unit}` : '',
    `${figure.median} ${figure.unit}`,
    ratio ? String(ratio.median) : '',
    `${Math.round(spread * 100)} %`,
    [met === null ? 'not decided' : met ? 'yes' : 'no', ...smaller].join(', '),
    commit,
    before ? describeBefore(before) : '',
  ];
}

function describeBefore({ ratio, figure, commit }: EarlierRun): string {
  return `${ratio ? ratio.median : `${figure.median} ${figure.unit}`} (${commit})`;
}

function renderCpu({ id }: Row, { cpuMicrosPerEvent: { ours, ceiling } }: Result): string[] {
  const list = (cpu: Readonly<Record<string, number>> | null): string =>
    Object.entries(cpu ?? {})
      .map(([name, micros]) => `${name} ${micros}`)
      .join(', ');
  return [id, list(ours), list(ceiling)];
}

function renderRows(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return lines.length === 0 ? 'No row has been taken yet.' : renderTable(head, lines);
}
