import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `auth` encrypts the signing keys in the database; `webhook` signs the sandbox processor's webhooks; `notifier` encrypts the
 * secrets of webhook endpoints; `mail` seals and signs links of mails. The first start creates each in a file that only its owner may read.
 */
export type DataSecret = 'auth' | 'webhook' | 'notifier' | 'mail';

export function openDataSecret(dataDir: string, name: DataSecret): string {
  const file = join(dataDir, `${name}-secret`);
  if (!existsSync(file)) {
    writeFileSync(`${file}.partial`, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(`${file}.partial`, file); // the file appears complete or not at all: half a secret would lock out everybody
  }
  return readFileSync(file, 'utf8');
}
