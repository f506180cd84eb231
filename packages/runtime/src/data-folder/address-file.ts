import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from './write-whole.ts';

/** Where the Tollgate on a data folder answers, and its version. */
export interface Address {
  readonly baseUrl: string;
  readonly version: string;
}

/** Commands find the running Tollgate by this file. It is no lock: a kill leaves it. It appears complete or not at all. */
export function writeAddressFile(dataDir: string, { baseUrl, version }: Address): void {
  writeWhole(
    fileOf(dataDir),
    `${baseUrl}
${version}
`,
  );
}

export function removeAddressFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** Undefined: no Tollgate has served on this folder, or the last one has stopped. */
export function readAddressFile(dataDir: string): Address | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined;
  const [baseUrl = '', version = ''] = readFileSync(fileOf(dataDir), 'utf8').split('\n');
  return { baseUrl, version };
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'address');
}
