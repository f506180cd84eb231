import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { BankFailure, PayoutAccountStatus } from './processor.ts';

export interface ConnectedAccount extends PayoutAccountStatus {
  readonly processorAccountId: string;
  readonly isDisconnected: boolean;
  /** The one that the builder named, if any. */
  readonly country: string | null;
}

/** A builder at one processor; its accounts at other processors do not count. */
export interface BuilderAt {
  readonly builderId: string;
  readonly processor: string;
}

/** An account, by its id at the processor. */
export interface AccountAt {
  readonly processor: string;
  readonly processorAccountId: string;
}

interface Row {
  readonly processor_account_id: string;
  readonly details_submitted: boolean;
  readonly payouts_enabled: boolean;
  readonly disconnected_at: Date | null;
  readonly country: string | null;
  readonly requirements: readonly string[];
  readonly disabled_reason: string | null;
  readonly bank_failure_code: string | null;
  readonly bank_failure_at: Date | null;
}

const findText = `
select processor_account_id, details_submitted, payouts_enabled, disconnected_at, country, requirements,
  disabled_reason, bank_failure_code, bank_failure_at
from billing.connected_account where account_id = $1 and processor = $2`;

export async function findConnectedAccount(
  tx: Queryable,
  { builderId, processor }: BuilderAt,
): Promise<ConnectedAccount | undefined> {
  const statement = { name: 'billing.find_connected_account', text: findText };
  const [row] = await tx.query<Row>(statement, [builderId, processor]);
  return row && fromRow(row);
}

function fromRow(row: Row): ConnectedAccount {
  return {
    processorAccountId: row.processor_account_id,
    areDetailsSubmitted: row.details_submitted,
    arePayoutsEnabled: row.payouts_enabled,
    isDisconnected: row.disconnected_at !== null,
    country: row.country,
    requirements: row.requirements,
    disabledReason: row.disabled_reason ?? undefined,
    bankFailure: bankFailureOf(row),
  };
}

function bankFailureOf({ bank_failure_code: code, bank_failure_at: at }: Row): BankFailure | undefined {
  return code === null || at === null ? undefined : { code, atMs: at.getTime() };
}

/** Says whether builders are paid out to the connected account `a`. */
export const isPaidOut = 'a.details_submitted and a.payouts_enabled and a.disconnected_at is null';

const findPayoutText = `
select processor_account_id from billing.connected_account a
where account_id = $1 and processor = $2 and ${isPaidOut}`;

/** Finds the account to which a builder's money may go now; undefined if there is none. */
export async function findPayoutAccount(
  tx: Transaction,
  { builderId, processor }: BuilderAt,
): Promise<string | undefined> {
  const statement = { name: 'billing.find_payout_account', text: findPayoutText };
  const [row] = await tx.query<Pick<Row, 'processor_account_id'>>(statement, [builderId, processor]);
  return row?.processor_account_id;
}

const addText = `
insert into billing.connected_account (account_id, processor, processor_account_id, created_at, country)
values ($1, $2, $3, $4, $5)
on conflict (account_id, processor) do nothing`;

/** Stores a new account. If two calls come at once, the first one stays. */
export async function addConnectedAccount(
  tx: Transaction,
  added: BuilderAt & AccountAt & { readonly createdAtMs: number; readonly country?: string | undefined },
): Promise<void> {
  const { builderId, processor, processorAccountId, createdAtMs, country } = added;
  await tx.query(addText, [builderId, processor, processorAccountId, toIso(createdAtMs), country]);
}

/** Money that moved to the old account stays in the books, so its id does. */
const replaceText = `
with past as (
  insert into billing.past_payout_account (processor, processor_account_id, account_id)
  select processor, processor_account_id, account_id from billing.connected_account
  where processor = $1 and processor_account_id = $2
  on conflict do nothing
)
update billing.connected_account set processor_account_id = $3, details_submitted = false, payouts_enabled = false,
  country = coalesce($4, country), requirements = '{}', disabled_reason = null, bank_failure_code = null, bank_failure_at = null
where processor = $1 and processor_account_id = $2`;

/** Replaces an account that is gone, or of the wrong country, by one that is not onboarded yet. Safe to repeat. */
export async function replaceConnectedAccount(
  db: Queryable,
  { processor, processorAccountId, country }: AccountAt & { readonly country?: string | undefined },
  goneAccountId: string,
): Promise<void> {
  await db.query(replaceText, [processor, goneAccountId, processorAccountId, country]);
}

const setDisconnectedText = `
update billing.connected_account set disconnected_at = $3
where account_id = $1 and processor = $2 and (disconnected_at is null) <> ($3::timestamptz is null)
returning account_id`;

/** Disconnects a builder's account; null connects it again. False, and nothing changes, without an account. Safe to repeat. */
export async function setDisconnectedAt(
  tx: Transaction,
  { builderId, processor }: BuilderAt,
  atMs: number | null,
): Promise<boolean> {
  const values = [builderId, processor, atMs === null ? null : toIso(atMs)];
  return (await tx.query(setDisconnectedText, values)).length === 1;
}

const lockText = `
select account_id, details_submitted, payouts_enabled, bank_failure_at
from billing.connected_account where processor = $1 and processor_account_id = $2 for update`;

export interface LockedAccount extends Pick<PayoutAccountStatus, 'areDetailsSubmitted' | 'arePayoutsEnabled'> {
  readonly builderId: string;
  readonly bankFailedAtMs: number | undefined;
}

interface LockedRow {
  readonly account_id: string;
  readonly details_submitted: boolean;
  readonly payouts_enabled: boolean;
  readonly bank_failure_at: Date | null;
}

/** Locks the account until the transaction ends. Undefined if it is not ours. */
export async function lockConnectedAccount(tx: Transaction, account: AccountAt): Promise<LockedAccount | undefined> {
  const values = [account.processor, account.processorAccountId];
  const [row] = await tx.query<LockedRow>(lockText, values);
  return (
    row && {
      builderId: row.account_id,
      areDetailsSubmitted: row.details_submitted,
      arePayoutsEnabled: row.payouts_enabled,
      bankFailedAtMs: row.bank_failure_at?.getTime(),
    }
  );
}

const setStatusText = `
update billing.connected_account set details_submitted = $3, payouts_enabled = $4, requirements = $5,
  disabled_reason = $6, bank_failure_code = $7, bank_failure_at = $8
where processor = $1 and processor_account_id = $2`;

export async function setAccountStatus(
  tx: Transaction,
  { processor, processorAccountId }: AccountAt,
  status: PayoutAccountStatus,
): Promise<void> {
  const { areDetailsSubmitted, arePayoutsEnabled, requirements = [], disabledReason, bankFailure } = status;
  const failure = bankFailure ? [bankFailure.code, toIso(bankFailure.atMs)] : [null, null];
  const values = [areDetailsSubmitted, arePayoutsEnabled, requirements, disabledReason ?? null, ...failure];
  await tx.query(setStatusText, [processor, processorAccountId, ...values]);
}
