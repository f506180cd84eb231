import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const fileName = 'sha256sums';
const atOnce = 1_048_576;

/** Lists every file of the backup with its SHA-256, in the form of sha256sum, which can check it too. */
export function writeBackupSums(folder: string): void {
  const lines = filesBelow(folder, '').map((path) => `${sumOf(join(folder, path))}  ${path}\n`);
  writeFileSync(join(folder, fileName), lines.join(''), { mode: 0o600, flush: true });
}

/** Throws unless every file that the backup had is there, byte for byte. */
export function refuseDamagedBackup(folder: string): void {
  for (const line of readFileSync(join(folder, fileName), 'utf8').trimEnd().split('\n')) {
    const [sum, path] = [line.slice(0, 64), line.slice(66)];
    if (sumIfThere(join(folder, path)) !== sum)
      throw new EmbeddedPostgresError(
        `${folder} is damaged: ${path} is missing, or is not as it was; copy the backup here again`,
      );
  }
}

function filesBelow(folder: string, path: string): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(folder, below) : [below];
  });
}

function sumIfThere(path: string): string | undefined {
  try {
    return sumOf(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function sumOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const sum = createHash('sha256');
    const buffer = Buffer.alloc(atOnce);
    for (let read = 1; read > 0;) {
      read = readSync(file, buffer, 0, atOnce, null);
      sum.update(buffer.subarray(0, read));
    }
    return sum.digest('hex');
  } finally {
    closeSync(file);
  }
}
