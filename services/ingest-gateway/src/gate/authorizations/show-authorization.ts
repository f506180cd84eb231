import type { Queryable } from '@tollgate/database/database';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { FillBalances } from '../caps/balance-caps.ts';
import { askerIdOf, type Asker } from '../deciding/find-payer.ts';
import { settledCallsOf, isBook, type Hold } from './hold.ts';
import { roomOf, type Room } from '../deciding/room.ts';
import { findCapsOfHold } from '../caps/sql-cap-state.ts';
import { findBook } from './sql-hold.ts';

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
    const book = isBook(hold) ? await findBook(database, hold.holdId) : undefined;
    const shown = book ?? { hold, captured: 0 };
    return toApi(shown.hold, { asker, room: room ?? (await readRoom(hold)), captured: shown.captured });
  };

  async function readRoom(hold: Hold): Promise<Room> {
    return roomOf(await fillBalances(database, await findCapsOfHold(database, hold), { atMs: clock.now() }));
  }
}

interface ToApi extends ShownTo {
  readonly room: Room;
  /** The number of a book's captured calls that are not settled. */
  readonly captured: number;
}

function toApi(hold: Hold, { asker, room: { remainingMicros, isLow }, captured }: ToApi) {
  return {
    id: hold.holdId,
    consumer_id: hold.accountId,
    tool_id: hold.toolId,
    pass_id: hold.passId,
    price_id: hold.priceId,
    count: hold.callCount,
    captured_count: isBook(hold) ? captured + settledCallsOf(hold) : Number(isCaptured(hold)),
    state: hold.state,
    held_usd: toUsdNumber(isHeld(hold) ? hold.micros : zeroMicros),
    charged_usd: toUsd(hold.chargedMicros),
    remaining_usd: pays(asker, hold) ? toUsd(remainingMicros) : null,
    reference: hold.askerId === askerIdOf(asker) ? hold.reference : null,
    low: isLow,
    expires_at: toIso(hold.expiresAtMs),
  };
}

/**
 * Says whether the asker is the account that pays. The holder of a pass and the builder of the tool do not see its
 * figures.
 */
export function pays({ accountId, pass }: Asker, hold: Pick<Hold, 'accountId'>): boolean {
  return pass === undefined && accountId === hold.accountId;
}

function toUsd(amount: Micros | null) {
  return amount === null ? null : toUsdNumber(amount);
}

function isCaptured({ state }: Hold): boolean {
  return state === 'captured' || state === 'settled';
}

/** Says whether money is held. A book that has ended holds it for its captured calls only. */
function isHeld(hold: Hold): boolean {
  return isBook(hold) || hold.state === 'open' || hold.state === 'captured';
}
