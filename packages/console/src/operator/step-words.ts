import type { OperatorSchemas } from './operator-api.ts';

const words: Readonly<Record<OperatorSchemas['ReconcileStep']['name'], string>> = {
  events_rollups: 'Events and counts',
  events_keys: 'Events and their keys',
  rollups_lines: 'Counts and lines of invoices',
  lines_ledger: 'Lines of invoices and ledger',
  ledger_processor: 'Ledger and processor',
  caps_usage: 'Spending caps and usage',
  grants_calls: 'Grants and the calls that they paid',
  rollups_seals: 'Counts and what the close has sealed',
  own_payouts: 'Payouts of the platform',
  inbox_events: 'Webhooks and the events of the processor',
  cash_balance: 'Cash and the balance at the processor',
};

/** Names the two sides of a step. */
export function stepInWords(name: OperatorSchemas['ReconcileStep']['name']): string {
  return words[name];
}
