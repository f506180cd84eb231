import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackage } from './pack-package.ts';
import { packWheel } from './pack-wheel.ts';
import { publishedFolders, repository } from './workspace-packages.ts';

/** `pnpm pack-all [--to <folder>]`: packs what a registry would get, and says how it is installed without one. */
const { values } = parseArgs({ options: { to: { type: 'string' } } });
const folder = resolve(values.to ?? join(repository, 'packed'));

/** Elsewhere: what is staged for a package is no package. */
const staging = mkdtempSync(join(tmpdir(), 'pack-all-'));
try {
  mkdirSync(folder, { recursive: true });
  const tarballs = publishedFolders().map((path) => keep(path, packPackage(path, staging)));
  const wheel = keep('clients/python', packWheel(staging));
  console.log(`\nThese two lines install them, until their names are published:\n`);
  console.log(`npm install ${tarballs.join(' ')}`);
  console.log(`python3 -m pip install ${wheel}`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function keep(source: string, packed: string): string {
  const kept = join(folder, basename(packed));
  cpSync(packed, kept);
  console.log(`${source} is packed: ${kept}`);
  return kept;
}
