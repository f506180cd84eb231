import { runListAccounts, runListInvoices, runListPayouts, type OperatorList } from '@tollgate/billing/operator';
import { toTable } from '@tollgate/kernel/text-table';
import { toCsv } from '@tollgate/kernel/to-csv';

import type { listStatuses } from './list-statuses.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';
import { requirePeriod } from './require-period.ts';

export type ListName = keyof typeof listStatuses;

export interface ListChoice {
  readonly limit: number;
  readonly json?: true;
  readonly csv?: true;
}

export interface AccountsChoice extends ListChoice {
  readonly status?: (typeof listStatuses)['accounts'][number];
  readonly email?: string;
}

export interface InvoicesChoice extends ListChoice {
  readonly status?: (typeof listStatuses)['invoices'][number];
  /** A month such as 2026-11. */
  readonly period?: string;
  /** An id or an e-mail. */
  readonly account?: string;
  readonly held?: true;
}

export interface PayoutsChoice extends ListChoice {
  readonly status?: (typeof listStatuses)['payouts'][number];
  readonly period?: string;
  readonly account?: string;
}

export interface Listing {
  /** A table for people, JSON or CSV. */
  readonly text: string;
  /** Set if there are more rows than were asked for. */
  readonly note: string | undefined;
}

type Options = Parameters<typeof runListAccounts>[1];

/** `tollgate operator accounts`: the newest that the filters let through. */
export function listAccounts(choice: AccountsChoice, on: DatabaseChoice): Promise<Listing> {
  const { status, limit, email } = choice;
  return list('accounts', choice, { on, read: (options) => runListAccounts({ email, status, limit }, options) });
}

/** `tollgate operator invoices`. */
export function listInvoices(choice: InvoicesChoice, on: DatabaseChoice): Promise<Listing> {
  const { status, period, account, held: isHeld, limit } = choice;
  requirePeriod(period);
  const query = { status, period, account, isHeld, limit };
  return list('invoices', choice, { on, read: (options) => runListInvoices(query, options) });
}

/** `tollgate operator payouts`. */
export function listPayouts(choice: PayoutsChoice, on: DatabaseChoice): Promise<Listing> {
  const { status, period, account, limit } = choice;
  requirePeriod(period);
  const query = { status, period, account, limit };
  return list('payouts', choice, { on, read: (options) => runListPayouts(query, options) });
}

interface Reading {
  readonly on: DatabaseChoice;
  readonly read: (options: Options) => Promise<OperatorList>;
}

async function list(name: ListName, choice: ListChoice, { on, read }: Reading): Promise<Listing> {
  const found = await withDatabase(on, ({ urlFor }) => read({ workerUrl: urlFor('billing_worker'), log: on.log }));
  const { rows, total } = found;
  const note = rows.length === total ? undefined : `${rows.length} of ${total} ${name}; --limit shows more`;
  return { text: toText(name, found, choice), note };
}

/** The fields of a table for people; JSON and CSV have every field. */
const shown: Readonly<Record<ListName, readonly string[]>> = {
  accounts: ['account_id', 'email', 'created_at', 'suspended_at', 'suspension_reason'],
  invoices: ['number', 'period', 'status', 'total_usd', 'refunded_usd', 'due_at', 'held_for', 'account_id', 'id'],
  payouts: ['period', 'status', 'net_usd', 'fee_usd', 'failures', 'next_attempt_at', 'account_id', 'id'],
};

function toText(name: ListName, { rows, columns, total }: OperatorList, { json, csv }: ListChoice): string {
  if (json === true) return JSON.stringify({ [name]: rows, total }, undefined, 2);
  if (csv === true) return toCsv(columns, rows).trimEnd();
  return rows.length === 0 ? `There are no such ${name}.` : toTable(rows, shown[name]);
}
