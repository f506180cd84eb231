import { fileURLToPath } from 'node:url';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { helpText, parseCommandLine, type RunOptions } from './command-line.ts';
import { compareWith } from './compare/compare-with.ts';
import { describeMachine } from './machine/describe-machine.ts';
import { writeResult } from './result-files.ts';
import type { RowContext } from './row.ts';
import { listRows, rows as allRows } from './rows.ts';
import { groupByRun, runRows, type JudgedRow, type RowsOfRun } from './run-row.ts';
import { writeReadme } from './write-readme.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const command = parseCommandLine(args, allRows);

switch (command.kind) {
  case 'help':
    process.stdout.write(helpText);
    break;
  case 'list':
    process.stdout.write(listRows());
    break;
  case 'readme':
    writeReadme();
    break;
  case 'refused':
    process.stderr.write(`${command.reason}; there are:\n${listRows()}`);
    process.exitCode = 2;
    break;
  case 'compare': {
    const { rows, options } = command;
    const isSlower = await compareWith({ rows, ref: options.ref, rounds: options.rounds, context: contextOf(options) });
    process.exitCode = isSlower ? 1 : 0;
    break;
  }
  case 'run':
    for (const run of groupByRun(command.rows)) await takeOrSay(run, command.options);
    break;
}

/** Rows that cannot run say why, and the others still have their turn. */
async function takeOrSay(run: RowsOfRun, options: RunOptions): Promise<void> {
  try {
    await take(run, options);
  } catch (error) {
    const ids = run.map(({ id }) => id).join(', ');
    progress(`${ids} could not run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  }
}

async function take(run: RowsOfRun, options: RunOptions): Promise<void> {
  for (const judged of await runRows(run, contextOf(options), options.rounds ?? 5)) await keep(judged, options);
  writeReadme();
}

async function keep({ row, verdict }: JudgedRow, options: RunOptions): Promise<void> {
  const file = writeResult({
    id: row.id,
    ...verdict,
    ...(await describeMachine(root)),
    command: ['pnpm bench', ...args].join(' '),
    secondsPerRound: options.seconds,
    measuredAt: toIso(systemClock.now()),
  });
  const { rounds: _, ...summary } = verdict;
  process.stdout.write(`${JSON.stringify({ id: row.id, ...summary, file }, undefined, 2)}\n`);
}

function contextOf({ seconds, sizes }: RunOptions): RowContext {
  return { root, seconds, sizes, progress };
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
