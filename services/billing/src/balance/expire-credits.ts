import { eventAgeMaxMs } from '@tollgate/contracts/events/events';
import type { Transaction } from '@tollgate/database/database';
import { hourMs } from '@tollgate/kernel/durations';
import { hourOf } from '@tollgate/kernel/period';
import { nilUuid } from '@tollgate/kernel/uuid';
import { wholeSlice, type TimeSlice } from '@tollgate/runtime/timing/time-slice';
import { createWalk } from '@tollgate/runtime/timing/walk';
import { postLedger } from '../ledger/sql-ledger.ts';
import { readWatermark } from '../usage/sql-watermark.ts';
import { expiryPosting } from './balance-postings.ts';
import { reserveCredits } from './gather-charges.ts';
import { countExpiries, insertMoves } from './sql-balance-moves.ts';
import { listAccountsWithEndingGrants, type Grant } from './sql-grants.ts';
import type { BalanceDeps } from './credit.ts';

/**
 * A hold is asked for an hour at most, and a grant pays for the whole hour in which it ends. One that is extended beyond that may
 * find less room than there is, never more.
 */
const soonMs = 2 * hourMs;

/**
 * Takes the rest of grants that have ended off their balances: what no call needs that was made while they were valid. All of
 * those are counted when the watermark is 24 hours past the end. Returns how many grants expired. It may be stopped anywhere
 * and run twice at once. An account that fails does not hold up the others.
 */
export function createExpireCredits({ database, log, batchMax = 100 }: BalanceDeps) {
  const walk = createWalk<string>(batchMax);

  return async function expireCredits(nowMs: number, slice: TimeSlice = wholeSlice): Promise<number> {
    const finalMs = hourOf((await readWatermark(database)) - eventAgeMaxMs);
    const ending = { finalMs, lookedAgainMs: nowMs - hourMs, soonMs: nowMs + soonMs };
    let expired = 0;
    const due = walk(slice, ({ after: afterId = nilUuid, limit }) => {
      return listAccountsWithEndingGrants(database, { ...ending, afterId, limit });
    });
    for await (const id of due) expired += await expire(id, { nowMs, finalMs });
    return expired;
  };

  async function expire(accountId: string, { nowMs, finalMs }: At): Promise<number> {
    try {
      return await database.transaction(async (tx) => {
        const grants = await reserveCredits(tx, { accountId, nowMs });
        const ended = grants.filter(({ endsMs, cents, reservedCents }) => {
          return endsMs !== null && endsMs <= finalMs && cents > reservedCents;
        });
        for (const grant of ended) await takeRest(tx, grant, { accountId, nowMs });
        return ended.length;
      });
    } catch (error) {
      log.error(
        { account: accountId, err: error },
        'could not expire the credits of an account; the next round tries again',
      );
      return 0;
    }
  }
}

interface At {
  readonly nowMs: number;
  readonly finalMs: number;
}

async function takeRest(
  tx: Transaction,
  { creditId, cents: leftCents, reservedCents }: Grant,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<void> {
  const cents = leftCents - reservedCents;
  const place = (await countExpiries(tx, creditId)) + 1;
  const posting = expiryPosting({ creditId, accountId, cents, place, occurredAtMs: nowMs });
  const moves = [{ creditId, amountCents: -cents }];
  await insertMoves(tx, { businessKey: posting.businessKey, accountId, movedAtMs: nowMs }, moves);
  await postLedger(tx, [posting]);
}
