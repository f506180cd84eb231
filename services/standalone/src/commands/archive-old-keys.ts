import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { createDatabase, type Database } from '@tollgate/database/database';
import { archiveKeys, estimateArchive } from '@tollgate/key-archive/archive-keys';
import { idOfKey, lookUpKey, verifyArchives } from '@tollgate/key-archive/look-up-key';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { isUuid } from '@tollgate/kernel/uuid';

import { CommandError } from './command-error.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

export interface ArchiveOptions {
  readonly olderThan: string;
  readonly to?: string;
  readonly dryRun?: true;
}

export interface FolderOption {
  readonly from?: string;
}

export interface KeyOptions extends FolderOption {
  readonly account?: string;
  readonly key?: string;
}

/** Gateways look for new archives every 5 s. */
const gatewaysLearnMs = 15_000;
const statementTimeoutMs = 6 * 3_600_000;

/** `tollgate operator keys archive`: also goes on with an archive that was begun. */
export async function archiveOldKeys(options: ArchiveOptions, choice: DatabaseChoice): Promise<string> {
  const olderThanMs = timeBefore(options.olderThan);
  return withOwner(choice, async (database) => {
    const deps = {
      database,
      folder: folderOf(options.to, choice),
      clock: systemClock,
      gatewaysKnow: () => wait(gatewaysLearnMs),
      onProgress: (line: string) => void process.stderr.write(`${line}\n`),
    };
    if (options.dryRun === true) {
      const { keys, bytes, olderThanMs: boundMs } = await estimateArchive(deps, olderThanMs);
      const room = `${megabytes(keys * tableBytesPerKey)} of the table would be free for new keys, and the file would have ${megabytes(bytes)}`;
      return `${keys} keys are of events before ${toIso(boundMs)}: ${room}. Nothing was changed.`;
    }
    const { file, keys, olderThanMs: boundMs } = await archiveKeys(deps, olderThanMs);
    if (file === undefined) return `No keys are of events before ${toIso(boundMs)}.`;
    return `${file} has the ${keys} keys of events before ${toIso(boundMs)}, and the table has them no more. Copy it to your backups.`;
  });
}

/** With its index; docs/operations.md has the arithmetic. */
const tableBytesPerKey = 132;

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

function timeBefore(years: string): number {
  const count = Number(years);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new CommandError('--older-than wants a whole number of years, from 1 to 100');
  const time = new Date(systemClock.now());
  return time.setUTCFullYear(time.getUTCFullYear() - count);
}

/** `tollgate operator keys lookup`: by the id of an event, or by account and key. */
export async function lookUpOneKey(
  eventId: string | undefined,
  options: KeyOptions,
  choice: DatabaseChoice,
): Promise<string> {
  return withOwner(choice, async (database) => {
    const found = await lookUpKey(database, folderIfAny(options.from, choice), await idOf(database, eventId, options));
    if (found === undefined) throw new CommandError('no event with this key was counted');
    const place = found.file ?? 'the table of keys';
    return `event ${found.eventId} of account ${found.consumerId}, called ${toIso(found.occurredAtMs)}: counted; its key is in ${place}`;
  });
}

async function idOf(database: Database, eventId: string | undefined, { account, key }: KeyOptions) {
  if (eventId !== undefined && isUuid(eventId)) return eventId;
  if (eventId === undefined && account !== undefined && isUuid(account) && key !== undefined)
    return idOfKey(database, { accountId: account, key });
  throw new CommandError('give the id of an event, or --account <id> and --key <key>');
}

/** `tollgate operator keys verify`. */
export async function verifyKeyArchives(options: FolderOption, choice: DatabaseChoice): Promise<string> {
  return withOwner(choice, async (database) => {
    const { files, keys } = await verifyArchives(database, folderIfAny(options.from, choice));
    return `${files} archives with ${keys} keys are whole.`;
  });
}

function folderIfAny(option: string | undefined, { environment }: DatabaseChoice): string | undefined {
  const folder = option ?? (environment['KEY_ARCHIVE_DIR'] || undefined);
  return folder === undefined ? undefined : resolve(folder);
}

function folderOf(option: string | undefined, choice: DatabaseChoice): string {
  const folder = folderIfAny(option, choice);
  if (folder !== undefined) return folder;
  throw new CommandError('name the folder of the archives with --to, or in KEY_ARCHIVE_DIR');
}

async function withOwner(choice: DatabaseChoice, work: (database: Database) => Promise<string>): Promise<string> {
  return withDatabase(choice, async ({ ownerUrl }) => {
    const pool = { name: 'keys', maxConnections: 3, statementTimeoutMs, log: choice.log };
    const database = createDatabase({ url: ownerUrl, ...pool });
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  });
}
