import type { Database } from '@tollgate/database/database';
import { nilUuid } from '@tollgate/kernel/uuid';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import { postLedger } from '../ledger/sql-ledger.ts';
import { expiryPosting } from './balance-postings.ts';
import { listExpiredCredits, lockCredit } from './sql-balance-credits.ts';
import { countExpiries, insertMoves } from './sql-balance-moves.ts';

export interface ExpireDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly batchMax?: number;
}

/**
 * Takes what is left of expired credits off their balances. Returns how many expired. It may be stopped anywhere and run
 * twice at once. A credit that fails does not hold up the others.
 */
export function createExpireCredits({ database, log, batchMax = 100 }: ExpireDeps) {
  const walk = createWalk<string>(batchMax);

  return async function expireCredits(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    let expired = 0;
    const due = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return listExpiredCredits(database, { nowMs, afterId, limit });
    });
    for await (const id of due) if (await expire(id, nowMs)) expired += 1;
    return expired;
  };

  async function expire(creditId: string, nowMs: number): Promise<boolean> {
    try {
      return await database.transaction(async (tx) => {
        const credit = await lockCredit(tx, creditId);
        if (credit === undefined || credit.leftCents === 0n) return false; // spent or expired meanwhile
        const { accountId, leftCents: cents } = credit;
        const place = (await countExpiries(tx, creditId)) + 1;
        const posting = expiryPosting({ creditId, accountId, cents, place, occurredAtMs: nowMs });
        const moves = [{ creditId, amountCents: -cents }];
        await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
        await postLedger(tx, [posting]);
        return true;
      });
    } catch (error) {
      log.error({ credit: creditId, err: error }, 'could not expire a credit; the next round tries again');
      return false;
    }
  }
}
