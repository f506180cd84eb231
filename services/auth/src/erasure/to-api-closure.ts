import type { ApiClosure } from '@tollgate/contracts/accounts/closure';
import { toIso } from '@tollgate/kernel/clock';
import type { Erasure } from './sql-erasure.ts';

/** Books are kept for whole calendar years after the one in which the account was closed. */
export function toApiClosure(erasure: Erasure, booksKeptYears: number): ApiClosure {
  const { accountId, closedAtMs, waitsFor, lookedAtMs, erasedAtMs } = erasure;
  const closedAt = toIso(closedAtMs);
  return {
    account_id: accountId,
    closed_at: closedAt,
    waits_for: [...waitsFor],
    looked_at: lookedAtMs === null ? null : toIso(lookedAtMs),
    erased_at: erasedAtMs === null ? null : toIso(erasedAtMs),
    books_kept_until: `${Number(closedAt.slice(0, 4)) + booksKeptYears}-12-31`,
  };
}
