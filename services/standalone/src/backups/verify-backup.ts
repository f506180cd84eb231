import { realpathSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readBackupFile } from '@tollgate/database/embedded/backup-file';
import { restoreBackup } from '@tollgate/database/embedded/restore-backup';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { checkLedger } from '../commands/check-ledger.ts';
import { CommandError } from '../commands/command-error.ts';
import { withDatabase, type DatabaseChoice } from '../commands/open-database.ts';
import { rebuildUsageRollups } from '../commands/rebuild-usage-rollups.ts';
import type { VerifiedBackup } from './verified-backup.ts';
import { removeOfTheDead, workingName } from './working-folder.ts';

export interface VerifyBackupOptions {
  readonly backupDir: string;
  readonly choice: Pick<DatabaseChoice, 'environment' | 'log'>;
  /** Says what is being done. */
  readonly onStep: (step: string) => void;
}

const purpose = 'verify';
/** PostgreSQL writes while it replays the backup's log. */
const room = 1.2;

/**
 * Restores a backup beside it, starts its PostgreSQL, checks the ledger, and sums all of its events again. The copy is
 * removed at the end. Throws, with the reason, if the backup would not do.
 */
export async function verifyBackup({ backupDir, choice, onStep }: VerifyBackupOptions): Promise<VerifiedBackup> {
  const folder = realpathSync(backupDir);
  const { bytes } = readBackupFile(folder);
  const parent = dirname(folder);
  removeOfTheDead(parent, purpose);
  requireRoom(parent, bytes * room);
  const copy = join(parent, workingName(basename(folder), purpose));
  try {
    onStep(`restoring ${Math.ceil(bytes / 1_000_000)} MB`);
    const { endedAt } = restoreBackup(folder, copy);
    await checkCopy({ ...choice, data: copy }, onStep);
    return { folder, endedAt, verifiedAt: toIso(systemClock.now()) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Both checks share the PostgreSQL that the first line starts. */
async function checkCopy(choice: DatabaseChoice, onStep: (step: string) => void): Promise<void> {
  onStep('replaying its log');
  await withDatabase(choice, async () => {
    onStep('checking the ledger');
    onStep(await checkLedger(choice));
    onStep('summing the events');
    onStep(await rebuildUsageRollups(false, choice));
  });
}

function requireRoom(parent: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize >= bytes) return;
  const megabytes = (count: number) => `${Math.ceil(count / 1_000_000)} MB`;
  throw new CommandError(
    `${parent} has ${megabytes(bavail * bsize)} free, and a copy of the backup needs ${megabytes(bytes)}: verify a copy of it on a larger disk`,
  );
}
