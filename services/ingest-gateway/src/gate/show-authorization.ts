import type { Queryable } from '@tollgate/database/database';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { micros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { FillBalances } from './balance-caps.ts';
import type { Asker } from './find-payer.ts';
import { isBook, type Hold } from './hold.ts';
import { roomOf, type Room } from './room.ts';
import { findCaps } from './sql-cap-state.ts';
import { sumCalls } from './sql-hold.ts';

export interface ShownTo {
  readonly asker: Asker;
  /** Undefined: it is read. */
  readonly room?: Room | undefined;
}

export interface ShowAuthorizationDeps {
  readonly database: Queryable;
  readonly fillBalances: FillBalances;
  readonly clock: Clock;
}

export type ShowAuthorization = ReturnType<typeof createShowAuthorization>;

/** Shows an authorization as the caller may see it. */
export function createShowAuthorization({ database, fillBalances, clock }: ShowAuthorizationDeps) {
  return async function showAuthorization(hold: Hold, { asker, room }: ShownTo) {
    const calls = isBook(hold) ? await sumCalls(database, hold.holdId) : undefined;
    return toApi(hold, { asker, room: room ?? (await readRoom(hold)), calls });
  };

  async function readRoom({ capIds }: Hold): Promise<Room> {
    return roomOf(await fillBalances(database, await findCaps(database, capIds), clock.now()));
  }
}

interface ToApi extends ShownTo {
  readonly room: Room;
  readonly calls: Awaited<ReturnType<typeof sumCalls>> | undefined;
}

function toApi(hold: Hold, { asker, room: { remainingMicros, isLow }, calls }: ToApi) {
  const heldMicros = (isHeld(hold) ? hold.micros : 0n) + (calls?.heldMicros ?? 0n);
  return {
    id: hold.holdId,
    consumer_id: hold.accountId,
    tool_id: hold.toolId,
    pass_id: hold.passId,
    price_id: hold.priceId,
    count: hold.callCount,
    captured_count: capturedCountOf(hold),
    state: hold.state,
    held_usd: toUsdNumber(micros(heldMicros)),
    charged_usd: toUsd(calls === undefined ? hold.chargedMicros : calls.chargedMicros),
    remaining_usd: pays(asker, hold) ? toUsd(remainingMicros) : null,
    low: isLow,
    expires_at: toIso(hold.expiresAtMs),
  };
}

/** Whoever has a pass, or built the tool, does not see how the account stands. */
export function pays({ accountId, pass }: Asker, hold: Pick<Hold, 'accountId'>): boolean {
  return pass === undefined && accountId === hold.accountId;
}

function toUsd(amount: Micros | null) {
  return amount === null ? null : toUsdNumber(amount);
}

function isHeld({ state }: Hold): boolean {
  return state === 'open' || state === 'captured';
}

function capturedCountOf(hold: Hold): number {
  if (isBook(hold)) return hold.capturedCount;
  return hold.state === 'captured' || hold.state === 'settled' ? 1 : 0;
}
