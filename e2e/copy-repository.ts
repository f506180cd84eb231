import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const left = new Set(['.git', '.tollgate', 'coverage', 'dist']);

/**
 * A copy of the sources to be spoilt, in a temporary folder that the caller removes: the links to the workspace's own
 * packages are kept relative, and what is installed is linked as a whole.
 */
export function copyRepository(purpose: string): string {
  const copy = mkdtempSync(join(tmpdir(), `tollgate-${purpose}-`));
  const installed = join(repository, 'node_modules');
  cpSync(repository, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== installed && !left.has(basename(source)),
  });
  symlinkSync(installed, join(copy, 'node_modules'));
  return copy;
}
