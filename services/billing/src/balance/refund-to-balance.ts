import type { Transaction } from '@tollgate/database/database';
import { planReturning } from './plan-spending.ts';
import { lockCreditsOfInvoice } from './sql-balance-credits.ts';
import { usableAfterReturnMs } from './set-balance-part.ts';
import { insertMoves } from './sql-balance-moves.ts';
import { keepUsable } from './sql-grants.ts';

export interface RefundedPart {
  readonly businessKey: string;
  readonly accountId: string;
  readonly invoiceId: string;
  readonly cents: bigint;
  readonly refundedAtMs: number;
}

/**
 * Gives a part of a refund back to the credits that paid the invoice. The posting of the refund has the same amount. The
 * invoice must be locked.
 */
export async function refundToBalance(tx: Transaction, part: RefundedPart): Promise<void> {
  const { businessKey, accountId, invoiceId, cents, refundedAtMs: movedAtMs } = part;
  if (cents === 0n) return;
  const moves = planReturning(await lockCreditsOfInvoice(tx, { accountId, invoiceId }), cents);
  await insertMoves(tx, { businessKey, accountId, invoiceId, movedAtMs }, moves);
  const creditIds = moves.map(({ creditId }) => creditId);
  await keepUsable(tx, creditIds, movedAtMs + usableAfterReturnMs);
}
