import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd, type Micros } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Transaction } from '@tollgate/database/database';
import { refundHeldPosting } from '../balance/balance-postings.ts';
import { planTaking } from '../balance/plan-spending.ts';
import { reserveCredits } from '../balance/gather-charges.ts';
import { listSpendableTopUps, lockTopUpCredits } from '../balance/sql-balance-credits.ts';
import { insertMoves } from '../balance/sql-balance-moves.ts';
import { listChargesOf } from '../collection/sql-charges.ts';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { Attempt } from '../processor/attempt.ts';
import { isSuspended } from '../processor/sql-customers.ts';
import type { BalanceRefund, RefundsDeps } from './refund.ts';
import {
  findBalanceRefundOf,
  insertBalanceRefund,
  type NewBalanceRefund,
  lockGatedUnused,
  lockOpenTopUps,
  readOwedAndHeld,
  readRefundableTopUps,
} from './sql-balance-refunds.ts';

export interface BalanceRefundOrdered {
  readonly accountId: string;
  /** All that can be refunded, if not given. */
  readonly amountCents: bigint | undefined;
  /** The same key again is the same refund. Without a key each call is another refund. */
  readonly idempotencyKey: string | undefined;
  readonly by: Actor;
}

/**
 * Refunds unused balance to the cards of the top-ups that it came from, the newest first. Unused is what neither invoices,
 * nor calls that no invoice has billed, nor the gate's holds need; grants are never refunded. The money leaves the balance
 * in the transaction that stores the orders, so nothing spends it meanwhile (F101).
 *
 * Throws `refund_too_large`, `account_suspended`, or `idempotency_key_reused` for a known key with another amount.
 */
export function createRefundBalance({ database, clock, attempts, readUnbilled }: RefundsDeps) {
  return async function refundBalance(ordered: BalanceRefundOrdered) {
    const { accountId, idempotencyKey: key } = ordered;
    const createdAtMs = clock.now();
    const id = key === undefined ? uuidV7(createdAtMs) : uuidV8('balance-refund', accountId, key);
    const of = { id, accountId };
    const known = await findBalanceRefundOf(database, of);
    if (known) return { refund: requireSame(known, ordered), isReplayed: true };
    const unbilledMicros = await readUnbilled(accountId, createdAtMs);
    const begun = await database.transaction((tx) => begin(tx, ordered, { id, createdAtMs, unbilledMicros }));
    await attempts.carryOutAll(begun ?? []);
    const refund = await findBalanceRefundOf(database, of);
    if (refund === undefined) throw new Error(`refund ${id} of a balance does not exist after it was ordered`);
    return { refund: requireSame(refund, ordered), isReplayed: begun === undefined };
  };

  /** Returns undefined if another call with this key has ordered it meanwhile. */
  async function begin(tx: Transaction, ordered: BalanceRefundOrdered, { id, ...facts }: Facts) {
    const { accountId, by } = ordered;
    if (await isSuspended(tx, accountId)) throw new AppError('account_suspended', 'This account is suspended.');
    await lockOpenTopUps(tx, accountId);
    if (await findBalanceRefundOf(tx, { id, accountId })) return undefined;
    await lockTopUpCredits(tx, { accountId });
    const { createdAtMs } = facts;
    const parts = (await planParts(tx, ordered, facts)).map((part) => ({
      ...part,
      id: uuidV8('balance-refund-part', id, part.topUpId),
    }));
    const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0n);
    await insertBalanceRefund(tx, { id, accountId, amountCents, createdAtMs, parts });
    const detail = { amount_usd: formatUsd(centsToMicros(amountCents)) };
    const object = { kind: 'balance_refund', id };
    await recordAct(tx, by, { action: 'balance.refunded', accountId, object, detail });
    const begun: Attempt[] = [];
    for (const part of parts) begun.push(await beginPart(tx, part, { accountId, createdAtMs }));
    return begun;
  }

  async function beginPart(tx: Transaction, part: NewPart, { accountId, createdAtMs }: AccountAt): Promise<Attempt> {
    const { id: subjectId, topUpId: creditId, amountCents } = part;
    const [charge] = await listChargesOf(tx, creditId);
    if (charge === undefined) throw new Error(`no charge paid the top-up ${creditId}`);
    const moved = { partId: subjectId, accountId, cents: amountCents, occurredAtMs: createdAtMs };
    const posting = refundHeldPosting(moved);
    const moves = [{ creditId, amountCents: -amountCents }];
    await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: createdAtMs }, moves);
    await postLedger(tx, [posting]);
    return attempts.begin(tx, { kind: 'refund', subjectId, isOfTopUp: true, amountCents, partyId: charge.objectId });
  }
}

type NewPart = NewBalanceRefund['parts'][number];

interface AccountAt {
  readonly accountId: string;
  readonly createdAtMs: number;
}

interface Facts {
  readonly id: string;
  readonly createdAtMs: number;
  readonly unbilledMicros: Micros;
}

/** Plans the part that goes back to each top-up. The credit of a top-up has its id. */
async function planParts(
  tx: Transaction,
  { accountId, amountCents }: BalanceRefundOrdered,
  { createdAtMs, unbilledMicros }: Omit<Facts, 'id'>,
): Promise<Omit<NewPart, 'id'>[]> {
  const refundable = await readRefundableTopUps(tx, accountId);
  const firmMicros = centsToMicros(await sumFirmCents(tx, { accountId, nowMs: createdAtMs }));
  const unusedMicros =
    (await lockGatedUnused(tx, accountId, { firmMicros, atMs: createdAtMs })) ??
    firmMicros - unbilledMicros - (await readOwedAndHeld(tx, accountId));
  const unusedCents = unusedMicros < 0n ? 0n : unusedMicros / 10_000n;
  const parts = planTaking(refundable, amountCents ?? unusedCents);
  const cents = parts.reduce((sum, part) => sum - part.amountCents, 0n);
  if (cents === 0n || cents > unusedCents || cents !== (amountCents ?? cents))
    throw tooLarge(sumOf(planTaking(refundable, unusedCents)));
  return parts.map(({ creditId: topUpId, amountCents: taken }) => ({ topUpId, amountCents: -taken }));
}

/** Top-ups with all that they have left, and grants with what calls were laid on: a grant pays for no call but its own. */
async function sumFirmCents(tx: Transaction, of: Parameters<typeof reserveCredits>[1]): Promise<bigint> {
  const grants = await reserveCredits(tx, of);
  const topUps = await listSpendableTopUps(tx, of.accountId);
  const cents = [...grants.map(({ reservedCents }) => reservedCents), ...topUps.map((topUp) => topUp.cents)];
  return cents.reduce((sum, each) => sum + each, 0n);
}

function sumOf(moves: ReturnType<typeof planTaking>): bigint {
  return moves.reduce((sum, { amountCents }) => sum - amountCents, 0n);
}

function tooLarge(cents: bigint): AppError {
  const most = formatUsd(centsToMicros(cents));
  const message = `must be at most ${most}, the unused part of the balance that was paid`;
  const errors = [{ pointer: '/amount_usd', code: 'too_large', message }];
  return new AppError('refund_too_large', `At most ${most} USD of this balance can be refunded.`, { errors });
}

function requireSame(known: BalanceRefund, { amountCents = known.amountCents }: BalanceRefundOrdered): BalanceRefund {
  if (known.amountCents === amountCents) return known;
  throw new AppError('idempotency_key_reused', 'This Idempotency-Key has ordered a refund of another amount.');
}
