import { join } from 'node:path';

/** The log of a part's first, second, … run: no run overwrites the words of one that ended. */
export function logFileOf(folder: string, name: string, attempt: number): string {
  return join(folder, attempt === 1 ? `${name}.log` : `${name}.${attempt}.log`);
}
