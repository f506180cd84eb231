import { runReconcile } from '@tollgate/billing/operator';

import { withDatabase, type DatabaseChoice } from './open-database.ts';
import { requirePeriod } from './require-period.ts';

export interface ReconcileChoice {
  readonly period: string;
  readonly account?: string | undefined;
  readonly keys?: boolean | undefined;
  readonly json?: boolean | undefined;
}

type Found = Awaited<ReturnType<typeof runReconcile>>;
type Step = Found['steps'][number];

export interface ReconcileReport {
  /** For people, or as JSON. */
  readonly text: string;
  readonly isEqual: boolean;
}

/** `tollgate operator reconcile`: the report names every difference. */
export async function reconcilePeriod(
  { period, account, keys = false, json }: ReconcileChoice,
  choice: DatabaseChoice,
): Promise<ReconcileReport> {
  requirePeriod(period);
  const { environment, log } = choice;
  const found = await withDatabase(choice, ({ urlFor }) =>
    runReconcile(
      { period, accountId: account, withAllKeys: keys },
      { workerUrl: urlFor('billing_worker'), environment, log },
    ),
  );
  return { text: json === true ? JSON.stringify(found, undefined, 2) : toText(found), isEqual: found.equal };
}

const titles: Readonly<Record<Step['name'], string>> = {
  events_rollups: 'events = rollups',
  events_keys: 'events = their keys',
  rollups_lines: 'rollups = lines',
  lines_ledger: 'lines = ledger',
  ledger_processor: 'ledger = processor',
  caps_usage: 'caps = usage',
  grants_calls: 'grants = their calls',
  rollups_seals: 'rollups = what their close sealed',
  own_payouts: 'payouts to the platform’s bank = ledger',
  inbox_events: 'webhooks = events of the processor',
  cash_balance: 'cash = balance',
};

function toText({ period, equal, steps }: Found): string {
  const verdict = equal ? 'everything agrees' : 'something differs';
  return [`${period}: ${verdict}`, ...steps.map(toStepText)].join('\n');
}

function toStepText(step: Step): string {
  const side = ({ what, count, sum }: Step['left']) =>
    `    ${what}: ${JSON.stringify(count)}, ${sum} ${step.unit === 'usd' ? 'USD' : step.unit}`;
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
