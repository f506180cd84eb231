import { readFileSync } from 'node:fs';

/**
 * Reads the version from this package's package.json; all packages share one version. The path is the same from `src`
 * and from `dist`.
 */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own file
}
