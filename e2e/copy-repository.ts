import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const notCopied = new Set(['.git', '.tollgate', 'coverage', 'dist']);

/**
 * Copies the sources to a temporary folder, for a test that spoils them. The caller removes the folder. Links to the
 * workspace's own packages stay relative; the folder of installed packages is a link.
 */
export function copyRepository(purpose: string): string {
  const copy = mkdtempSync(join(tmpdir(), `tollgate-${purpose}-`));
  const installed = join(repository, 'node_modules');
  cpSync(repository, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source === repository || (source !== installed && !notCopied.has(basename(source))),
  });
  symlinkSync(installed, join(copy, 'node_modules'));
  return copy;
}
