import type { Database, Transaction } from '@tollgate/database/database';
import { changeLines } from '../settling/change-lines.ts';
import { addCalls, fromLineKey, toLineQuantities, withQuantities, type Line } from '../settling/lines.ts';
import { changeCaps, lockCapsOfHold } from '../caps/sql-cap-state.ts';
import { countCapturedCalls } from './sql-call.ts';
import { endBooks, endHolds, lockHolds } from './sql-hold.ts';
import { isBook, settledCallsOf, type CapState, type Hold } from './hold.ts';
import { lockLines } from '../settling/sql-line.ts';
import { readPriceSpans } from '../settling/sql-spent-usage.ts';

/**
 * Frees what an open authorization holds. The hold is locked before its lines and caps, as everywhere. Returns the hold as it
 * stood, or undefined where there is none: one that is not open any more is left as it is.
 */
export function releaseHold(database: Database, holdId: string): Promise<Hold | undefined> {
  return database.transaction(async (tx) => {
    const [hold] = await lockHolds(tx, [holdId]);
    if (hold?.state !== 'open') return hold;
    const openCalls = await openCallsOf(tx, hold);
    const freed = await endOpen(tx, hold);
    const lines = await lockLinesOfHold(tx, hold);
    const caps = await lockCapsOfHold(tx, hold);
    await changeCaps(
      tx,
      hold.capIds.map((capId) => ({ capId, spent: 0n, held: -(freed.get(capId) ?? 0n) })),
    );
    await leaveLines(tx, hold, { lines, caps, openCalls });
    return hold;
  });
}

/** How many calls an open hold is still for. */
export async function openCallsOf(tx: Transaction, hold: Hold): Promise<number> {
  if (!isBook(hold)) return 1;
  return hold.callCount - settledCallsOf(hold) - (await countCapturedCalls(tx, hold));
}

function lockLinesOfHold(tx: Transaction, { accountId, lineKeys }: Hold): Promise<Line[]> {
  return lockLines(
    tx,
    lineKeys.map((key) => ({ accountId, ...fromLineKey(key) })),
  );
}

/** Ends the hold, or its open calls. Returns what each cap had held for them. */
async function endOpen(tx: Transaction, hold: Hold): Promise<ReadonlyMap<bigint, bigint>> {
  if (isBook(hold)) return endBooks(tx, [hold.holdId], 'released');
  await endHolds(tx, [hold.holdId], 'released');
  return new Map(hold.capIds.map((capId) => [capId, hold.micros]));
}

interface Locked {
  readonly lines: readonly Line[];
  readonly caps: readonly CapState[];
  readonly openCalls: number;
}

async function leaveLines(tx: Transaction, hold: Hold, { lines, caps, openCalls }: Locked): Promise<void> {
  if (lines.length === 0) return;
  const prices = new Map((await readPriceSpans(tx, [hold.toolId])).map(({ priceId, price }) => [priceId, price]));
  const call = toLineQuantities(hold.max);
  const after = lines.flatMap((line) => {
    const price = prices.get(line.priceId);
    return price === undefined
      ? []
      : [withQuantities(line, price, { inFlight: addCalls(line.inFlight, call, -openCalls) })];
  });
  await changeLines(tx, { before: lines, after, caps });
}
