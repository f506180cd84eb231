import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { writeWhole } from '@tollgate/runtime/data-folder/write-whole';

/** A backup that was restored, and whose books agreed. The times are ISO times of this machine's clock. */
export interface VerifiedBackup {
  readonly folder: string;
  readonly endedAt: string;
  readonly verifiedAt: string;
}

/** An older one needs the operator. A daily backup may fail once. */
export const verifiedAgeMaxMs = 2 * dayMs;

/** Keeps the newest verified backup in the data folder, where the service and `status` read it. */
export function noteVerifiedBackup(dataDir: string, backup: VerifiedBackup): void {
  const known = readVerifiedBackup(dataDir);
  if (known !== undefined && known.endedAt > backup.endedAt) return;
  const file = fileOf(dataDir);
  writeWhole(file, `${JSON.stringify(backup)}\n`);
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) chownSync(file, uid, gid); // the service may run as another user
}

/** Whether the backup was made of this data folder, or of a restored copy of it. */
export function isBackupOf(dataDir: string, backupDir: string): boolean {
  const name = 'auth-secret'; // made once per data folder, and never changed
  const [own, kept] = [join(dataDir, name), join(backupDir, name)];
  return existsSync(own) && existsSync(kept) && readFileSync(own, 'utf8') === readFileSync(kept, 'utf8');
}

/** Undefined: no backup of this data folder was ever verified. */
export function readVerifiedBackup(dataDir: string): VerifiedBackup | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined;
  return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as VerifiedBackup; // our own file, written whole
}

/** In milliseconds: how much is lost if the machine is lost now. Undefined: no backup was ever verified. */
export function verifiedAgeMs(dataDir: string, clock: Pick<Clock, 'now'>): number | undefined {
  const newest = readVerifiedBackup(dataDir);
  return newest && clock.now() - Date.parse(newest.endedAt);
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'verified-backup.json');
}
