import { AppError } from '@tollgate/kernel/app-error';
import type { Environment } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { fromPgError, sqlStateOf } from '@tollgate/database/pg-error';
import { Command } from 'commander';

import { CommandError } from './commands/command-error.ts';
import type { DatabaseChoice } from './commands/open-database.ts';
import { explainFailure } from './explain-failure.ts';
import { readVersion } from './version.ts';

export interface CommandLine {
  readonly args: readonly string[];
  readonly environment: Environment;
}

/** Each command loads what it needs when it runs: a service takes half a second to load. */
type AddCommand = (choose: (options: { data?: string }) => DatabaseChoice) => (command: Command) => Command;

/** `pnpm tollgate …`, the operator's tool. Exit codes: 0 done, 1 it could not be done, 2 it was not understood. */
export async function runCli({ args, environment }: CommandLine): Promise<void> {
  const log = createLogger({ name: 'tollgate', level: 'warn', destination: process.stderr });
  const choose = ({ data }: { data?: string }): DatabaseChoice => ({ environment, data, log });
  const program = new Command('tollgate')
    .description('Tollgate: the operator’s tool.')
    .version(readVersion())
    .showHelpAfterError()
    .exitOverride((ending) => process.exit(ending.exitCode === 0 ? 0 : 2))
    .addHelpText('after', databaseHelp);
  for (const add of [addMigrate, addAccount, addRebuildRollups, addLedger, addReconcile, addTrace, addTopics])
    add(choose)(program);
  try {
    await program.parseAsync(args[0] === '--' ? args.slice(1) : args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`tollgate: ${wordsFor(error)}\n`);
    process.exit(1);
  }
}

const databaseHelp = `
The database: DATABASE_URL (as its owner), or that of the data folder (--data, DATA_DIR, .tollgate), whether Tollgate is
running on it or not.`;
const dataOption = ['--data <folder>', 'data folder, in place of DATABASE_URL'] as const;

const addMigrate: AddCommand = (choose) => (program) =>
  program
    .command('migrate')
    .description('bring the database to the version of this release')
    .option(...dataOption)
    .addHelpText(
      'after',
      `${databaseHelp}\nWith DATABASE_URL, AUTH_API_PASSWORD and the like give the services' roles their passwords.`,
    )
    .action(async (options: { data?: string }) => {
      const { migrateDatabase } = await import('./commands/migrate-database.ts');
      print(await migrateDatabase(choose(options)));
    });

const addAccount: AddCommand = (choose) => (program) =>
  program
    .command('account')
    .description('help an account')
    .command('set-password')
    .description('give an account a new password, read from the terminal or standard input; ends its sessions')
    .argument('<email>', 'e-mail of the account')
    .option(...dataOption)
    .addHelpText('after', databaseHelp)
    .action(async (email: string, options: { data?: string }) => {
      const { setAccountPassword } = await import('./commands/set-account-password.ts');
      print(await setAccountPassword(email, choose(options)));
    });

const addRebuildRollups: AddCommand = (choose) => (program) =>
  program
    .command('rebuild-rollups')
    .description('add up all kept events again and compare the sums with those kept; fails if they differ')
    .option('--write', 'where they differ, write the sums anew; counting waits meanwhile')
    .option(...dataOption)
    .addHelpText('after', databaseHelp)
    .action(async (options: { data?: string; write?: true }) => {
      const { rebuildUsageRollups } = await import('./commands/rebuild-usage-rollups.ts');
      print(await rebuildUsageRollups(options.write === true, choose(options)));
    });

const addLedger: AddCommand = (choose) => (program) =>
  program
    .command('ledger')
    .description('look after the ledger')
    .command('check')
    .description('prove that ledger, invoices and what was counted agree; fails and names the rows if they do not')
    .option(...dataOption)
    .addHelpText('after', databaseHelp)
    .action(async (options: { data?: string }) => {
      const { checkLedger } = await import('./commands/check-ledger.ts');
      print(await checkLedger(choose(options)));
    });

const addReconcile: AddCommand = (choose) => (program) =>
  program
    .command('reconcile')
    .description('follow a period: events = rollups = lines = ledger = processor; fails and names the rows that differ')
    .requiredOption('--period <month>', 'as 2026-11')
    .option('--account <id>', 'only what this account used or earned')
    .option('--json', 'for machines')
    .option(...dataOption)
    .addHelpText('after', `${databaseHelp}\nThe processor: PROCESSOR and its settings, as the service has them.`)
    .action(async (options: { period: string; account?: string; json?: true; data?: string }) => {
      const { reconcilePeriod } = await import('./commands/reconcile-period.ts');
      const { text, isEqual } = await reconcilePeriod(options, choose(options));
      print(text);
      if (!isEqual) process.exitCode = 1;
    });

const addTopics: AddCommand = (choose) => (program) =>
  program
    .command('topics')
    .description('make the topics of Kafka, or mend them; safe to repeat')
    .addHelpText(
      'after',
      '\nKAFKA_BROKERS, KAFKA_REPLICATION_FACTOR, USAGE_EVENT_PARTITIONS and LOG_RETENTION_DAYS are those of the services.',
    )
    .action(async () => {
      const { makeTopics } = await import('./commands/make-topics.ts');
      print(await makeTopics(choose({})));
    });

const addTrace: AddCommand = (choose) => (program) =>
  program
    .command('trace')
    .description('follow one event: accepted, counted, rated, invoiced, paid, earned, paid out, or what it waits for')
    .argument('<event_id>', 'id of the event')
    .option('--json', 'for machines')
    .option(...dataOption)
    .addHelpText(
      'after',
      `${databaseHelp}\nFees and payouts: the settings of the service that speak of them, as it has them.`,
    )
    .action(async (eventId: string, options: { json?: true; data?: string }) => {
      const { traceOneEvent } = await import('./commands/trace-one-event.ts');
      print(await traceOneEvent({ eventId, json: options.json }, choose(options)));
    });

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function wordsFor(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  const known = fromPgError(error);
  if (known instanceof AppError && known.kind === 'unavailable')
    return `the database cannot be reached: ${reasonOf(known.cause)}`;
  if (known instanceof AppError)
    return [known.message, ...(known.errors ?? []).map(({ message }) => message)].join(' ');
  if (sqlStateOf(error) !== undefined) return `the database refuses: ${reasonOf(error)}`;
  return explainFailure(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; '); // one for each of a name's addresses
  return error instanceof Error ? error.message : String(error);
}
