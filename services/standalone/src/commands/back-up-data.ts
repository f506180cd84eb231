import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { backUp } from '@tollgate/database/embedded/back-up';
import type { BackupFile } from '@tollgate/database/embedded/backup-file';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { beginDatedFolder, keepNewest } from '../backups/dated-folders.ts';
import { isBackupOf, noteVerifiedBackup } from '../backups/verified-backup.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import { CommandError } from './command-error.ts';
import { dataFolderOf, serverUrlOf, withDatabase, type DatabaseChoice } from './open-database.ts';

export interface BackUpOptions {
  /** The folder of all backups, each of which gets a dated folder in it. */
  readonly to?: string;
  /** How many of them stay. */
  readonly keep?: number;
  readonly verify?: true;
}

/** `tollgate operator backup <folder>`, or `--to <folder>`; also while Tollgate runs. */
export async function backUpData(
  target: string | undefined,
  options: BackUpOptions,
  choice: DatabaseChoice,
): Promise<string> {
  refuseServer(choice);
  setPriority(constants.priority.PRIORITY_LOW); // copying takes a core, and requests come first
  const { folder, backup, removed } = await makeBackup(target, options, choice);
  const size = `${backup.files} files, ${Math.ceil(backup.bytes / 1_000_000)} MB`;
  // An older backup goes only after the new one has been verified.
  return [
    `${folder} has all that was acknowledged before ${backup.endedAt} (${size}). It holds secrets: keep it as safe as the data.`,
    ...(options.verify === true ? [await verifyData(folder, choice)] : []),
    ...removed().map((name) => `Removed the older ${name}.`),
    `Restore it with \`tollgate operator restore ${folder} --data <new folder>\`.`,
  ].join('\n');
}

/** `tollgate operator backup verify <folder>`. */
export async function verifyData(backupDir: string, choice: DatabaseChoice): Promise<string> {
  const { environment, log } = choice;
  const verified = await verifyBackup({ backupDir, choice: { environment, log }, onStep: say });
  const words = `Verified: it was restored, and its books and counts agree as of ${verified.endedAt}.`;
  if (serverUrlOf(choice) !== undefined || !isBackupOf(dataFolderOf(choice), backupDir))
    return `${words} It is of another data folder than ${choice.data ?? 'the one here'}, so no status shows it.`;
  noteVerifiedBackup(dataFolderOf(choice), verified);
  return words;
}

interface Made {
  readonly folder: string;
  readonly backup: BackupFile;
  /** Removes what need not stay. */
  readonly removed: () => readonly string[];
}

async function makeBackup(
  target: string | undefined,
  { to, keep }: BackUpOptions,
  choice: DatabaseChoice,
): Promise<Made> {
  if ((target === undefined) === (to === undefined))
    throw new CommandError('name the new folder of the backup, or with --to the folder of all backups');
  if (to === undefined)
    return { folder: String(target), backup: await copyTo(String(target), choice), removed: () => [] };
  const parent = resolve(to);
  const begun = beginDatedFolder(parent, toIso(systemClock.now()));
  const backup = await copyTo(begun.path, choice);
  return { folder: begun.finish(), backup, removed: () => (keep === undefined ? [] : keepNewest(parent, keep)) };
}

function copyTo(target: string, choice: DatabaseChoice): Promise<BackupFile> {
  const dataDir = dataFolderOf(choice);
  return withDatabase(choice, ({ urlFor }) =>
    backUp({ dataDir, superuserUrl: urlFor('postgres'), target: resolve(target) }),
  );
}

function refuseServer(choice: DatabaseChoice): void {
  if (serverUrlOf(choice) !== undefined)
    throw new CommandError('DATABASE_URL is a server: back it up by its own means, such as pg_basebackup or pg_dump');
}

function say(step: string): void {
  process.stderr.write(`tollgate: ${step}\n`);
}
