import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { faultReportPage } from './fault-report-page.ts';
import type { FaultReport } from './fault-report.ts';

/** The root of the repository, with a slash at its end. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const path = `${repository}docs/faults.json`;
const pagePath = `${repository}docs/faults.md`;

/**
 * Reads docs/faults.json, changes it and writes it and its page, without a pause in between: a soak and a test run may
 * both have something to add.
 */
export function changeFaultReport(change: (report: FaultReport) => FaultReport): void {
  const known = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as FaultReport) // as written below
    : { runs: [], rows: [] };
  const report = change(known);
  replaceFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
  replaceFile(pagePath, faultReportPage(report));
}

function replaceFile(target: string, text: string): void {
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
}
