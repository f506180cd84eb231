import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that its owner alone may read. Whoever reads it meanwhile finds the old one or the new one, whole. */
export function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.partial`, text, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}
