import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seals the signing keys in the database; made at the first start, in a file that nobody else may read. */
export function openAuthSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret');
  if (!existsSync(file)) {
    writeFileSync(`${file}.partial`, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(`${file}.partial`, file); // whole or not at all: half a secret would lock out everybody
  }
  return readFileSync(file, 'utf8');
}
