import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import type { Attempt } from '../processor/attempt.ts';
import { findChargeableCustomer, isSuspended } from '../processor/sql-customers.ts';
import { findTopUpOf, insertTopUp, type NewTopUp } from './sql-top-ups.ts';
import type { TopUp, BalanceDeps } from './credit.ts';

export interface TopUpOrdered {
  readonly accountId: string;
  readonly amountCents: bigint;
  /** The same key again is the same top-up. Without a key each call is another one. */
  readonly idempotencyKey: string | undefined;
  readonly by: Actor;
}

/**
 * Charges the payment method on file for the balance of its own account. Top-up and attempt are stored first, so a crash
 * or a lost answer leaves it `pending`, and the attempt is looked up (F98). Resolves with the top-up as it is then.
 *
 * Throws `payment_method_required`, `account_suspended`, or `idempotency_key_reused` for a known key with another amount.
 */
export function createOrderTopUp({ database, clock, attempts, processorName: processor }: BalanceDeps) {
  return async function orderTopUp(ordered: TopUpOrdered): Promise<{ topUp: TopUp; isReplayed: boolean }> {
    const { accountId, amountCents, idempotencyKey: key } = ordered;
    const createdAtMs = clock.now();
    const id = key === undefined ? uuidV7(createdAtMs) : uuidV8('top-up', accountId, key);
    const known = await findTopUpOf(database, { id, accountId });
    if (known) return { topUp: requireSame(known, amountCents), isReplayed: true };
    const attempt = await database.transaction((tx) =>
      begin(tx, ordered, { id, accountId, amountCents, createdAtMs, isAutomatic: false }),
    );
    if (attempt) await attempts.carryOut(attempt);
    const topUp = await findTopUpOf(database, { id, accountId });
    if (!topUp) throw new Error(`top-up ${id} does not exist after it was ordered`);
    return { topUp: requireSame(topUp, amountCents), isReplayed: attempt === undefined };
  };

  /** Returns undefined if another call with this key has ordered it meanwhile. */
  async function begin(tx: Transaction, { by }: TopUpOrdered, topUp: NewTopUp): Promise<Attempt | undefined> {
    const { id, accountId, amountCents } = topUp;
    if (await isSuspended(tx, accountId)) throw new AppError('account_suspended', 'This account is suspended.');
    const customer = await findChargeableCustomer(tx, { consumerId: accountId, processor });
    if (customer === undefined) throw noPaymentMethod();
    if (!(await insertTopUp(tx, topUp))) return undefined;
    const detail = { amount_usd: formatUsd(centsToMicros(amountCents)) };
    await recordAct(tx, by, { action: 'top_up.ordered', accountId, object: { kind: 'top_up', id }, detail });
    const { processorCustomerId: partyId, paymentMethodId } = customer;
    const order = { kind: 'charge', subjectId: id, isOfTopUp: true, amountCents, partyId, paymentMethodId } as const;
    return attempts.begin(tx, order);
  }
}

function requireSame(known: TopUp, amountCents: bigint): TopUp {
  if (known.amountCents === amountCents) return known;
  throw new AppError('idempotency_key_reused', 'This Idempotency-Key has ordered a top-up of another amount.');
}

function noPaymentMethod(): AppError {
  const message = 'There is no payment method to charge. Set one up with POST /v1/billing/payment-method.';
  return new AppError('payment_method_required', message);
}
