import { readFileSync } from 'node:fs';

/** The release's version, as its package.json has it: beside `src` and beside `dist` alike. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
