import { runReconcile } from '@tollgate/billing/operator';

import { CommandError } from './command-error.ts';
import { openDatabase, type DatabaseChoice } from './open-database.ts';

export interface ReconcileChoice {
  readonly period: string;
  readonly account?: string | undefined;
  readonly json?: boolean | undefined;
}

type Found = Awaited<ReturnType<typeof runReconcile>>;
type Step = Found['steps'][number];

export interface ReconcileReport {
  /** In words, or as JSON. */
  readonly text: string;
  readonly isEqual: boolean;
}

/** `tollgate reconcile`: whatever differs is named in the report. */
export async function reconcilePeriod(
  { period, account, json }: ReconcileChoice,
  choice: DatabaseChoice,
): Promise<ReconcileReport> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(period))
    throw new CommandError(`--period is a month such as 2026-11, not ${period}`);
  const database = await openDatabase(choice);
  try {
    const { environment, log } = choice;
    const options = { workerUrl: database.urlFor('billing_worker'), environment, log };
    const found = await runReconcile({ period, accountId: account }, options);
    return { text: json === true ? JSON.stringify(found, undefined, 2) : tell(found), isEqual: found.equal };
  } finally {
    await database.close();
  }
}

const titles: Readonly<Record<Step['name'], string>> = {
  events_rollups: 'events = rollups',
  rollups_lines: 'rollups = lines',
  lines_ledger: 'lines = ledger',
  ledger_processor: 'ledger = processor',
};

function tell({ period, equal, steps }: Found): string {
  const verdict = equal ? 'everything agrees' : 'something differs';
  return [`${period}: ${verdict}`, ...steps.map(tellStep)].join('\n');
}

function tellStep(step: Step): string {
  const side = ({ what, count, sum }: Step['left']) =>
    `    ${what}: ${JSON.stringify(count)}, ${sum} ${step.unit === 'usd' ? 'USD' : 'calls'}`;
  const more = step.differing - step.rows.length;
  return [
    `  ${step.equal ? '✓' : '✗'} ${titles[step.name]}`,
    side(step.left),
    side(step.right),
    ...(step.note === null ? [] : [`    ${step.note}`]),
    ...step.rows.map((row) => `    differs: ${row}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n');
}
