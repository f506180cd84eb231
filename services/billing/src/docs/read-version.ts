import { readFileSync } from 'node:fs';

/** Of this package, which all packages share; package.json lies beside `src` and beside `dist` alike. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own file
}
