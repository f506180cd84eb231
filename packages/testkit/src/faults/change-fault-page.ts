import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { repository } from './repository.ts';

const path = `${repository}docs/faults.md`;

/** Reads docs/faults.md, changes it and writes it, without a pause in between: a soak and a test run may both add to it. */
export function changeFaultPage(change: (page: string) => string): void {
  writeFileSync(`${path}.new`, change(readFileSync(path, 'utf8')));
  renameSync(`${path}.new`, path);
}
