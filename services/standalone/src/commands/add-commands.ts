import { InvalidArgumentError, Option, type Command } from 'commander';

import type { InstallOptions } from '../systemd/install-service.ts';
import type { ArchiveOptions, FolderOption, KeyOptions } from './archive-old-keys.ts';
import type { BackUpOptions } from './back-up-data.ts';
import type { AfterRestoreOptions } from './clean-up-restored.ts';
import type { AccountsChoice, InvoicesChoice, Listing, ListName, PayoutsChoice } from './list-rows.ts';
import { listStatuses } from './list-statuses.ts';
import type { DatabaseChoice } from './open-database.ts';
import type { StatusChoice } from './show-status.ts';

export interface DataOption {
  readonly data?: string;
}

type Choose = (options: DataOption) => DatabaseChoice;

export const databaseHelp = `
The database is DATABASE_URL (as its owner), or else the database in the data folder: --data, DATA_DIR or .tollgate.
Tollgate may or may not be running on that folder.`;

/** Adds every command. A command imports its service when it runs, since loading a service takes half a second. */
export function addCommands(program: Command, choose: Choose): void {
  addStatus(program, choose);
  addLists(program, choose);
  addMaintenance(program, choose);
  addBackups(program, choose);
  addService(program);
  addKeys(program, choose);
  addRotations(program, choose);
  addChecks(program, choose);
  addTrace(program, choose);
}

function addStatus(program: Command, choose: Choose): void {
  onDatabase(program.command('status'), '\nExit code 1: something needs the operator. PROCESSOR selects the processor.')
    .description('show whether Tollgate runs, what waits, and what needs you')
    .option('--url <url>', 'base URL of a Tollgate elsewhere, to ask whether it is ready')
    .option('--json', 'print JSON')
    .action(async (options: DataOption & StatusChoice) => {
      const { showStatus } = await import('./show-status.ts');
      const { text, needsOperator } = await showStatus(options, choose(options));
      print(text);
      if (needsOperator) process.exitCode = 1;
    });
}

function addLists(program: Command, choose: Choose): void {
  addList(program, 'accounts')
    .option('--email <email>', 'only the account with this e-mail')
    .action(async (options: DataOption & AccountsChoice) => {
      const { listAccounts } = await import('./list-rows.ts');
      printList(await listAccounts(options, choose(options)));
    });
  addOfPeriod(addList(program, 'invoices'))
    .option('--held', 'only those that wait for your confirmation')
    .action(async (options: DataOption & InvoicesChoice) => {
      const { listInvoices } = await import('./list-rows.ts');
      printList(await listInvoices(options, choose(options)));
    });
  addOfPeriod(addList(program, 'payouts')).action(async (options: DataOption & PayoutsChoice) => {
    const { listPayouts } = await import('./list-rows.ts');
    printList(await listPayouts(options, choose(options)));
  });
}

function addList(program: Command, name: ListName): Command {
  return onDatabase(program.command(name))
    .description(`list ${name}, the newest first`)
    .addOption(new Option('--status <status>', 'only those with this status').choices(listStatuses[name]))
    .addOption(new Option('--limit <rows>', 'the most rows').default(100).argParser(toLimit))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .option('--csv', 'print CSV, with every field');
}

function addOfPeriod(list: Command): Command {
  return list
    .option('--period <month>', 'only those of this month, such as 2026-11')
    .option('--account <account>', 'only those of this account: its id or e-mail');
}

const limitMax = 100_000;

function toLimit(text: string): number {
  const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${limitMax}.`);
}

function printList({ text, note }: Listing): void {
  print(text);
  if (note !== undefined) process.stderr.write(`tollgate: ${note}\n`);
}

function addMaintenance(program: Command, choose: Choose): void {
  onDatabase(program.command('migrate'), "\nThe services' roles get the passwords in AUTH_API_PASSWORD and so on.")
    .description('migrate the database to the version of this release')
    .option('--key-partitions <number>', 'partitions of the table of idempotency keys; only before the first key')
    .action(async ({ keyPartitions, ...options }: DataOption & { keyPartitions?: string }) => {
      const { migrateDatabase } = await import('./migrate-database.ts');
      print(await migrateDatabase(choose(options), keyPartitions));
    });
  const account = program.command('account').description('manage an account');
  onDatabase(account.command('set-password'))
    .description('set a new password, read from the terminal or standard input; end all sessions and API keys')
    .argument('<email>', 'e-mail of the account')
    .option('--keep-api-keys', 'leave the API keys of the account as they are')
    .action(async (email: string, options: DataOption & { keepApiKeys?: true }) => {
      const { setAccountPassword } = await import('./set-account-password.ts');
      print(await setAccountPassword({ email, keepsApiKeys: options.keepApiKeys === true }, choose(options)));
    });
  onDatabase(account.command('remove-totp'))
    .description('remove the second factor of an owner who lost it; end all sessions')
    .argument('<email>', 'e-mail of the account')
    .action(async (email: string, options: DataOption) => {
      const { removeAccountTotp } = await import('./remove-account-totp.ts');
      print(await removeAccountTotp(email, choose(options)));
    });
  for (const verb of ['grant', 'revoke'] as const)
    onDatabase(account.command(`${verb}-operator`))
      .description(
        verb === 'grant'
          ? 'let an account open the operator’s routes in a browser, with a second factor; end all sessions'
          : 'let an account open the operator’s routes no more; end all sessions',
      )
      .argument('<email>', 'e-mail of the account')
      .action(async (email: string, options: DataOption) => {
        const { changeOneOperatorAccount } = await import('./change-operator-account.ts');
        print(await changeOneOperatorAccount({ email, verb }, choose(options)));
      });
  const invoice = program.command('invoice').description('manage an invoice');
  onDatabase(invoice.command('confirm'))
    .description('confirm that an invoice above INVOICE_COLLECT_MAX_USD is charged')
    .argument('<id>', 'id of the invoice')
    .action(async (id: string, options: DataOption) => {
      const { confirmOneInvoice } = await import('./confirm-invoice.ts');
      print(await confirmOneInvoice(id, choose(options)));
    });
  program
    .command('topics')
    .description('create the topics of Kafka, or correct their settings; safe to repeat')
    .addHelpText(
      'after',
      '\nIt reads the settings KAFKA_BROKERS, KAFKA_REPLICATION_FACTOR, USAGE_EVENT_PARTITIONS and LOG_RETENTION_DAYS.',
    )
    .action(async () => {
      const { makeTopics } = await import('./make-topics.ts');
      print(await makeTopics(choose({})));
    });
}

function addBackups(program: Command, choose: Choose): void {
  const backup = onDatabase(program.command('backup'))
    .description('back up the data folder, also while Tollgate runs on it')
    .argument('[folder]', 'a folder that is missing or empty, best on another disk')
    .option('--to <folder>', 'make a dated folder in this one, in place of [folder]')
    .addOption(new Option('--keep <number>', 'with --to: remove all but the newest').argParser(toLimit))
    .option('--verify', 'then verify it, as `backup verify` does; nothing is removed if that fails')
    .action(async (target: string | undefined, options: DataOption & BackUpOptions) => {
      const { backUpData } = await import('./back-up-data.ts');
      print(await backUpData(target, options, choose(options)));
    });
  onDatabase(backup.command('verify'))
    .description('restore a backup beside it, check its ledger and its counts, and remove the copy')
    .argument('<folder>', 'the folder of the backup')
    .action(async (folder: string, _: unknown, command: Command) => {
      const { verifyData } = await import('./back-up-data.ts');
      print(await verifyData(folder, choose(command.optsWithGlobals()))); // `--data` is an option of `backup`, too
    });
  const logOption = [
    '--audit-log <file>',
    'the audit log since the backup; what it says was revoked is revoked again',
  ] as const;
  const keysOption = ['--revoke-api-keys', 'revoke every API key of every account'] as const;
  onDatabase(program.command('restore'))
    .description('make a data folder from a backup, then do as after-restore does')
    .argument('<folder>', 'the folder of the backup')
    .option(...logOption)
    .option(...keysOption)
    .action(async (backup: string, options: DataOption & AfterRestoreOptions) => {
      const { restoreData } = await import('./restore-data.ts');
      print(await restoreData(backup, options, choose(options)));
    });
  onDatabase(program.command('after-restore'))
    .description('end all sessions of a restored database; list what to revoke again, and the keys that work')
    .option(...logOption)
    .option(...keysOption)
    .action(async (options: DataOption & AfterRestoreOptions) => {
      const { cleanUpRestored } = await import('./clean-up-restored.ts');
      print(await cleanUpRestored(options, choose(options)));
    });
}

function addService(program: Command): void {
  const service = program.command('service').description('run Tollgate as a service of systemd');
  service
    .command('install')
    .description(
      'write a hardened unit, its settings, and with --backup-to a daily verified backup; print what was written',
    )
    .option('--port <port>', 'port on 127.0.0.1, behind a proxy that serves TLS', '8080')
    .option('--memory <size>', 'the most memory, as systemd writes it, such as 2G', '2G')
    .option('--backup-to <folder>', 'folder of daily backups, best on another disk; each is verified')
    .addOption(new Option('--keep <number>', 'how many daily backups stay').argParser(toLimit).default(14))
    .option('--root <folder>', 'write below this folder, such as the root of an image', '/')
    .option('--dry-run', 'print the files and write nothing')
    .action(async (options: InstallOptions) => {
      const { installService } = await import('../systemd/install-service.ts');
      print(installService(options));
    });
}

function addKeys(program: Command, choose: Choose): void {
  const keys = program.command('keys').description('archive old idempotency keys, and find them');
  const from = ['--from <folder>', 'folder of the archives, in place of KEY_ARCHIVE_DIR'] as const;
  onDatabase(
    keys.command('archive'),
    '\nEvery gateway and aggregator needs KEY_ARCHIVE_DIR first. A killed command goes on where it stopped.',
  )
    .description('move the keys of old events from the table into a file, where repeats are still recognised')
    .requiredOption('--older-than <years>', 'age of the events, in whole years')
    .option('--to <folder>', 'folder of the archives, in place of KEY_ARCHIVE_DIR')
    .option('--dry-run', 'only count them')
    .action(async (options: DataOption & ArchiveOptions) => {
      const { archiveOldKeys } = await import('./archive-old-keys.ts');
      print(await archiveOldKeys(options, choose(options)));
    });
  onDatabase(keys.command('lookup'))
    .description('say whether the event of a key was counted, and where its key is')
    .argument('[event_id]', 'id of the event; or else --account and --key')
    .option('--account <id>', 'account that sent the event')
    .option('--key <key>', 'idempotency key of the event')
    .option(...from)
    .action(async (eventId: string | undefined, options: DataOption & KeyOptions) => {
      const { lookUpOneKey } = await import('./archive-old-keys.ts');
      print(await lookUpOneKey(eventId, options, choose(options)));
    });
  onDatabase(keys.command('verify'))
    .description('read every archive as a whole; fails if one is missing or damaged')
    .option(...from)
    .action(async (options: DataOption & FolderOption) => {
      const { verifyKeyArchives } = await import('./archive-old-keys.ts');
      print(await verifyKeyArchives(options, choose(options)));
    });
}

function addRotations(program: Command, choose: Choose): void {
  const signingKey = program.command('signing-key').description('manage the key that signs access tokens');
  onDatabase(
    signingKey.command('rotate'),
    '\nThe new key is sealed with AUTH_KEY_ENCRYPTION_SECRET, as in the service.',
  )
    .description('replace the key; tokens of earlier keys stay good until they expire')
    .option('--revoke-now', 'refuse the tokens of earlier keys within a second, because a key has leaked')
    .action(async (options: DataOption & { revokeNow?: true }) => {
      const { rotateKey } = await import('./rotate-secrets.ts');
      print(await rotateKey({ revokeNow: options.revokeNow === true }, choose(options)));
    });
  addOperatorTotp(program, choose);
  addOperatorTokens(program, choose);
}

function addOperatorTokens(program: Command, choose: Choose): void {
  const tokens = program.command('operator-token').description("manage the operator's tokens");
  onDatabase(tokens.command('create'))
    .description('print a new token; every service takes it within a second')
    .requiredOption('--name <name>', 'lower-case letters, digits and hyphens; the name in the audit trail')
    .option('--expires-in <days>', 'days until the token expires; default: never')
    .action(async (options: DataOption & { name: string; expiresIn?: string }) => {
      const { createToken } = await import('./operator-tokens.ts');
      print(await createToken(options, choose(options)));
    });
  onDatabase(tokens.command('list'))
    .description('list the tokens by name, also those that are revoked or have expired')
    .action(async (options: DataOption) => {
      const { listTokens } = await import('./operator-tokens.ts');
      print(await listTokens(choose(options)));
    });
  onDatabase(tokens.command('revoke'))
    .description('refuse a token within a second, in every service')
    .argument('<name>', 'name of the token; `default` is OPERATOR_TOKEN until it is rotated')
    .action(async (name: string, options: DataOption) => {
      const { revokeToken } = await import('./operator-tokens.ts');
      print(await revokeToken(name, choose(options)));
    });
  onDatabase(tokens.command('rotate'))
    .description('print a new token; every service takes it within a second, and no earlier one of the name')
    .argument('[name]', 'name of the token', 'default')
    .action(async (name: string, options: DataOption) => {
      const { rotateToken } = await import('./operator-tokens.ts');
      print(await rotateToken(name, choose(options)));
    });
}

function addOperatorTotp(program: Command, choose: Choose): void {
  const totp = program.command('operator-totp').description("manage the operator's second factor");
  onDatabase(totp.command('enable'), '\nThe secret is sealed with AUTH_KEY_ENCRYPTION_SECRET, as in the service.')
    .description('print a secret for an authenticator app; confirm it to turn the factor on')
    .action(async (options: DataOption) => {
      const { enableOperatorTotp } = await import('./set-operator-totp.ts');
      print(await enableOperatorTotp(choose(options)));
    });
  onDatabase(totp.command('confirm'))
    .description('turn the second factor on')
    .argument('<code>', 'the code that the app shows now')
    .action(async (code: string, options: DataOption) => {
      const { confirmOperatorTotp } = await import('./set-operator-totp.ts');
      print(await confirmOperatorTotp(code, choose(options)));
    });
  onDatabase(totp.command('disable'))
    .description('turn the second factor off, also for a lost device')
    .action(async (options: DataOption) => {
      const { disableOperatorTotp } = await import('./set-operator-totp.ts');
      print(await disableOperatorTotp(choose(options)));
    });
}

function addChecks(program: Command, choose: Choose): void {
  onDatabase(program.command('rebuild-rollups'))
    .description('sum all kept events again and compare with the stored sums; fails if they differ')
    .option('--write', 'store the new sums where they differ; counting waits meanwhile')
    .action(async (options: DataOption & { write?: true }) => {
      const { rebuildUsageRollups } = await import('./rebuild-usage-rollups.ts');
      print(await rebuildUsageRollups(options.write === true, choose(options)));
    });
  const ledger = program.command('ledger').description('inspect the ledger');
  onDatabase(ledger.command('check'))
    .description('check that ledger, invoices and counts agree; fails and names the rows that differ')
    .action(async (options: DataOption) => {
      const { checkLedger } = await import('./check-ledger.ts');
      print(await checkLedger(choose(options)));
    });
  onDatabase(program.command('reconcile'), '\nPROCESSOR and its settings select the processor.')
    .description('compare events, rollups, lines, ledger and processor; fails and names the rows that differ')
    .requiredOption('--period <month>', 'a month such as 2026-11')
    .option('--account <id>', 'only the usage and earnings of this account')
    .option('--keys', 'compare the key of every kept event, not of a sample of each day')
    .option('--json', 'print JSON')
    .action(async (options: DataOption & { period: string; account?: string; keys?: true; json?: true }) => {
      const { reconcilePeriod } = await import('./reconcile-period.ts');
      const { text, isEqual } = await reconcilePeriod(options, choose(options));
      print(text);
      if (!isEqual) process.exitCode = 1;
    });
}

function addTrace(program: Command, choose: Choose): void {
  onDatabase(program.command('trace'), '\nFees and payouts follow the same settings as in the service.')
    .description('follow one event through counting, rating, invoice, payment, earning and payout')
    .argument('<event_id>', 'id of the event')
    .option('--json', 'print JSON')
    .action(async (eventId: string, options: DataOption & { json?: true }) => {
      const { traceOneEvent } = await import('./trace-one-event.ts');
      print(await traceOneEvent({ eventId, json: options.json }, choose(options)));
    });
}

function onDatabase(command: Command, help = ''): Command {
  return command
    .option('--data <folder>', 'data folder, in place of DATABASE_URL')
    .addHelpText('after', databaseHelp + help);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
