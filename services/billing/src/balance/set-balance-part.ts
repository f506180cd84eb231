import type { Transaction } from '@tollgate/database/database';
import { postLedger } from '../ledger/sql-ledger.ts';
import { balancePaidPosting, balanceReturnedPosting } from './balance-postings.ts';
import type { CreditMove } from './credit.ts';
import { planReturning, planTaking } from './plan-spending.ts';
import { lockCreditsOfInvoice, lockSpendableCredits } from './sql-balance-credits.ts';
import { insertMoves, readBalancePayment } from './sql-balance-moves.ts';

/** An invoice that is locked. */
export interface PayableInvoice {
  readonly id: string;
  readonly consumerId: string;
}

export interface WantedPart {
  /** How much of the invoice the balance shall have paid, in cents. */
  readonly cents: bigint;
  readonly nowMs: number;
}

/**
 * Takes from the consumer's balance, or gives back to it, until the balance has paid so much of the invoice. Returns how
 * much it has paid then, which is less if the balance has no more. Safe to repeat.
 */
export async function setBalancePart(
  tx: Transaction,
  { id: invoiceId, consumerId: accountId }: PayableInvoice,
  { cents, nowMs: occurredAtMs }: WantedPart,
): Promise<bigint> {
  const paid = await readBalancePayment(tx, invoiceId);
  if (paid.cents === cents) return cents;
  const isTaking = paid.cents < cents;
  const moves = isTaking
    ? planTaking(await lockSpendableCredits(tx, accountId, occurredAtMs), cents - paid.cents)
    : planReturning(await lockCreditsOfInvoice(tx, { accountId, invoiceId }), paid.cents - cents);
  const moved = sumOf(moves);
  if (moved === 0n) return paid.cents;
  const amount = { invoiceId, accountId, place: paid.postings + 1, occurredAtMs };
  const posting = isTaking
    ? balancePaidPosting({ ...amount, cents: -moved })
    : balanceReturnedPosting({ ...amount, cents: moved });
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, invoiceId, movedAtMs: occurredAtMs }, moves);
  await postLedger(tx, [posting]);
  return paid.cents - moved;
}

function sumOf(moves: readonly CreditMove[]): bigint {
  return moves.reduce((sum, { amountCents }) => sum + amountCents, 0n);
}
