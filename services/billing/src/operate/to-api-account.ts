import type { OperatorAccount } from '@tollgate/contracts/operator/operator';
import { toIso } from '@tollgate/kernel/clock';
import type { Account } from '../invoicing/sql-accounts.ts';

export function toApiAccount({ accountId, email, createdAtMs, suspension }: Account): OperatorAccount {
  const shown = suspension && { reason: suspension.reason, suspended_at: toIso(suspension.suspendedAtMs) };
  return { account_id: accountId, email, created_at: toIso(createdAtMs), suspension: shown ?? null };
}
