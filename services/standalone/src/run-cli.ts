import { fromPgError, sqlStateOf } from '@tollgate/database/pg-error';
import { AppError } from '@tollgate/kernel/app-error';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { Command } from 'commander';

import { addCommands, databaseHelp } from './commands/add-commands.ts';
import { CommandError } from './commands/command-error.ts';
import { explainFailure } from './explain-failure.ts';
import { readVersion } from './version.ts';

export interface CommandLine {
  /** What the user types before the arguments. */
  readonly name?: string;
  readonly args: readonly string[];
  readonly environment: Environment;
}

/** `pnpm tollgate …`, the operator's tool. Exit codes: 0 success, 1 the command failed, 2 the command line is wrong. */
export async function runCli({ name = 'tollgate', args, environment }: CommandLine): Promise<void> {
  const log = createLogger({ name: 'tollgate', level: 'warn', destination: process.stderr });
  const program = new Command(name)
    .description('Commands for the operator of Tollgate.')
    .version(readVersion())
    .showHelpAfterError()
    .exitOverride((ending) => process.exit(ending.exitCode === 0 ? 0 : 2))
    .addHelpText('after', databaseHelp);
  addCommands(program, ({ data }) => ({ environment, data, log }));
  try {
    await program.parseAsync(args[0] === '--' ? args.slice(1) : args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`tollgate: ${explain(error)}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const known = fromPgError(error);
  if (known instanceof AppError && known.kind === 'unavailable')
    return `the database cannot be reached: ${reasonOf(known.cause)}`;
  if (known instanceof AppError)
    return [known.message, ...(known.errors ?? []).map(({ message }) => message)].join(' ');
  if (sqlStateOf(error) !== undefined) return `the database refuses the command: ${reasonOf(error)}`;
  return explainFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; '); // one error per address of a name
  return error instanceof Error ? error.message : String(error);
}
