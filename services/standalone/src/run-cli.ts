import { fromPgError, sqlStateOf } from '@tollgate/database/pg-error';
import { AppError } from '@tollgate/kernel/app-error';
import { commandLineProblem } from '@tollgate/kernel/command-line-problem';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { Command, CommanderError } from 'commander';

import { addCommands, databaseHelp } from './commands/add-commands.ts';
import { CommandError } from './commands/command-error.ts';
import { explainFailure } from './explain-failure.ts';
import { readVersion } from './version.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly environment: Environment;
}

/**
 * `tollgate operator …`, as the npm package has it and every message names it. In a checkout and in the image, where
 * there are no other commands, `operator` may be left out. Exit codes: 0 success, 1 the command failed, 2 the command
 * line is wrong.
 */
export async function runCli({ args, environment }: CommandLine): Promise<void> {
  const words = args[0] === '--' ? args.slice(1) : args;
  try {
    await createOperatorProgram(environment).parseAsync(words[0] === 'operator' ? words.slice(1) : words, {
      from: 'user',
    });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
    const isHelp = error instanceof CommanderError && error.code === 'commander.help'; // printed already
    const words = error instanceof CommanderError ? commandLineProblem(error.message) : explain(error);
    if (!isHelp) process.stderr.write(`tollgate: ${words}\n`);
    process.exit(error instanceof CommanderError ? 2 : 1);
  }
}

/** All commands, with their help. */
export function createOperatorProgram(environment: Environment): Command {
  const log = createLogger({ name: 'tollgate', level: 'warn', destination: process.stderr });
  const program = new Command('tollgate operator')
    .description('Commands for the operator of Tollgate.')
    .version(readVersion())
    .configureOutput({ outputError: () => undefined }) // `runCli` says it, in one line
    .exitOverride()
    .addHelpText('after', databaseHelp);
  addCommands(program, ({ data }) => ({ environment, data, log }));
  return program;
}

function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const known = fromPgError(error);
  if (known instanceof AppError && known.kind === 'unavailable')
    return `the database cannot be reached: ${reasonOf(known.cause)}`;
  if (known instanceof AppError) return wordsOf(known);
  if (sqlStateOf(error) !== undefined) return `the database refuses the command: ${reasonOf(error)}`;
  return explainFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** The message may have the words of a field already. */
function wordsOf({ message, errors = [] }: AppError): string {
  return [message, ...errors.map((field) => field.message).filter((words) => !message.includes(words))].join(' ');
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; '); // one error per address of a name
  return error instanceof Error ? error.message : String(error);
}
