import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import { findAccount } from '../invoicing/sql-accounts.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import { grantPosting } from './balance-postings.ts';
import type { Credit, BalanceDeps } from './credit.ts';
import { findCredit, insertCredit, type NewCredit } from './sql-balance-credits.ts';
import { insertMoves } from './sql-balance-moves.ts';

export interface CreditOrdered extends Pick<Credit, 'accountId' | 'amountCents' | 'reason' | 'expiresAtMs'> {
  /** Calls since then are paid. Undefined: since now. */
  readonly effectiveFromMs: number | undefined;
  /** The same key again is the same credit. Without a key each call is another credit. */
  readonly idempotencyKey: string | undefined;
  readonly by: Actor;
}

/**
 * Grants a credit to an account, on the operator's order. It pays for calls from its beginning until it expires. Throws
 * `not_found` for an unknown account, `invalid_request` if it would have expired already or before it begins, or
 * `idempotency_key_reused` for a known key with another credit.
 */
export function createGrantCredit({ database, clock, collectAtOnce }: BalanceDeps) {
  return function grantCredit(ordered: CreditOrdered): Promise<{ credit: Credit; isReplayed: boolean }> {
    const { accountId, amountCents, reason, expiresAtMs, idempotencyKey: key } = ordered;
    const nowMs = clock.now();
    const id = key === undefined ? uuidV7(nowMs) : uuidV8('credit', accountId, key);
    const effectiveFromMs = ordered.effectiveFromMs ?? nowMs;
    const credit = { id, accountId, amountCents, reason, effectiveFromMs, expiresAtMs, createdAtMs: nowMs };
    return database.transaction(async (tx) => {
      if ((await findAccount(tx, accountId)) === undefined)
        throw new AppError('not_found', `There is no account \`${accountId}\`.`);
      const known = await findCredit(tx, id);
      if (known) return replay(known, ordered);
      requireTimes(credit);
      const isForEarlier = effectiveFromMs < nowMs;
      if (isForEarlier) await collectAtOnce(tx, accountId); // invoices are locked before credits and ledger accounts
      if (!(await insertCredit(tx, credit))) return replay(await findCredit(tx, id), ordered); // a call at once with this key
      await fill(tx, credit);
      const detail = { amount_usd: formatUsd(centsToMicros(amountCents)) };
      await recordAct(tx, ordered.by, { action: 'credit.granted', accountId, object: { kind: 'credit', id }, detail });
      const made = { ...credit, topUpId: null, leftCents: amountCents, endsAtMs: expiresAtMs, isDisputed: false };
      return { credit: made, isReplayed: false };
    });
  };
}

async function fill(tx: Transaction, credit: NewCredit): Promise<void> {
  const { id: creditId, accountId, amountCents, createdAtMs } = credit;
  const posting = grantPosting({ creditId, accountId, cents: amountCents, occurredAtMs: createdAtMs });
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: createdAtMs }, [
    { creditId, amountCents },
  ]);
  await postLedger(tx, [posting]);
}

function replay(known: Credit | undefined, ordered: CreditOrdered) {
  if (known === undefined) throw new Error('a credit that was there is gone');
  return { credit: requireSame(known, ordered), isReplayed: true };
}

function requireSame(known: Credit, { amountCents, reason, effectiveFromMs, expiresAtMs }: CreditOrdered): Credit {
  const isSameTime =
    known.effectiveFromMs === (effectiveFromMs ?? known.createdAtMs) && known.expiresAtMs === expiresAtMs;
  if (known.amountCents === amountCents && known.reason === reason && isSameTime) return known;
  throw new AppError('idempotency_key_reused', 'This Idempotency-Key has granted another credit.');
}

function requireTimes({ effectiveFromMs, expiresAtMs, createdAtMs }: NewCredit): void {
  if (expiresAtMs === null) return;
  if (expiresAtMs <= createdAtMs) throw endsTooSoon('must be later than now');
  if (expiresAtMs <= effectiveFromMs) throw endsTooSoon('must be later than `effective_from`');
}

function endsTooSoon(message: string): AppError {
  return invalidRequest(`expires_at ${message}.`, [{ pointer: '/expires_at', code: 'invalid_value', message }]);
}
