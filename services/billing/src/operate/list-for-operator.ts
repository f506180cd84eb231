import { invoiceSummarySchema } from '@tollgate/contracts/money/invoices';
import { operatorAccountSchema, type OperatorAccount } from '@tollgate/contracts/operator/operator';
import { operatorPayoutSchema } from '@tollgate/contracts/money/payouts';
import type { Queryable } from '@tollgate/database/database';
import type { TableRow } from '@tollgate/kernel/to-csv';
import { toIso } from '@tollgate/kernel/clock';
import { listAccounts, type AccountListQuery, type Account } from '../invoicing/sql-accounts.ts';
import { listAllInvoices, type AllInvoicesQuery } from '../invoicing/sql-list-invoices.ts';
import { toApiInvoiceSummary } from '../invoicing/to-api-invoice.ts';
import { listAllPayouts, type AllPayoutsQuery } from '../payouts/sql-list-payouts.ts';
import { toApiOperatorPayout } from '../payouts/to-api-payout.ts';

/** The first rows of a list, in the form of the operator's route. */
export interface OperatorList {
  readonly rows: readonly TableRow[];
  /** How many rows there are with and without a limit. */
  readonly total: number;
  /** The fields of a row, in order. */
  readonly columns: readonly string[];
}

/** The newest accounts first. */
export async function listAccountsForOperator(db: Queryable, query: AccountListQuery): Promise<OperatorList> {
  const { rows, total } = await listAccounts(db, query);
  const { suspension: _, ...shape } = operatorAccountSchema.shape;
  return {
    rows: rows.slice(0, query.limit).map((account) => flatten(toApiAccount(account))),
    total,
    columns: [...Object.keys(shape), 'suspended_at', 'suspension_reason'],
  };
}

/** A row of a table has no objects in it. */
function flatten({ suspension, ...account }: ReturnType<typeof toApiAccount>): TableRow {
  return {
    ...account,
    suspended_at: suspension?.suspended_at ?? null,
    suspension_reason: suspension?.reason ?? null,
  };
}

/** The newest invoices first, without their lines. */
export async function listInvoicesForOperator(db: Queryable, query: AllInvoicesQuery): Promise<OperatorList> {
  const { rows, total } = await listAllInvoices(db, query);
  const columns = Object.keys(invoiceSummarySchema.shape);
  return { rows: rows.slice(0, query.limit).map(toApiInvoiceSummary), total, columns };
}

/** The newest stored payouts first. */
export async function listPayoutsForOperator(db: Queryable, query: AllPayoutsQuery): Promise<OperatorList> {
  const { rows, total } = await listAllPayouts(db, query);
  const columns = Object.keys(operatorPayoutSchema.shape);
  return { rows: rows.slice(0, query.limit).map(toApiOperatorPayout), total, columns };
}

export function toApiAccount(account: Account): OperatorAccount {
  const { accountId, email, createdAtMs, isEmailVerified, emailBouncedAtMs, publicName, suspension } = account;
  const shown = suspension && { reason: suspension.reason, suspended_at: toIso(suspension.suspendedAtMs) };
  return {
    account_id: accountId,
    email,
    email_verified: isEmailVerified,
    email_bounced_at: emailBouncedAtMs === undefined ? null : toIso(emailBouncedAtMs),
    public_name: publicName,
    created_at: toIso(createdAtMs),
    suspension: shown ?? null,
  };
}
