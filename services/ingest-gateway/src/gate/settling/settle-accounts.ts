/**
 * Settling moves what counted events came to from held to spent, and frees what can have no event any more. Accounts are
 * settled many at once: each statement serves all of them, and one transaction locks their rows for a short time.
 *
 * 1. Read, in one snapshot: the counted usage, which captured holds have their event in it, and the watermark.
 * 2. Decide (`plan-settlement.ts`): what each event came to, what a month has come to, which holds have expired.
 * 3. Write, in one transaction: advance the number of each account's settlement, and leave out those that somebody else has
 *    advanced; lock and end the holds; lock the lines and the caps last, since every gateway that decides waits for those; move
 *    quantities of lines from in flight to settled, and money from held to spent.
 *
 * An event that is counted between 1 and 3 is held still, and in no sum: the next settlement takes it. A settler that dies
 * before the commit of 3 has done nothing.
 */
import type { Database, Transaction } from '@tollgate/database/database';
import { capKeyOf, type Captured, type CapState, type Hold } from '../authorizations/hold.ts';
import { capChangesOf } from './change-lines.ts';
import { chargedOfCaps, chargedUnheard } from './charged-of-caps.ts';
import type { Line } from './lines.ts';
import { openCaps } from '../caps/open-caps.ts';
import { settleLines } from './settle-lines.ts';
import { planSettlement, type SettlementPlan } from './plan-settlement.ts';
import { readSettlementFacts, type AccountToSettle, type SettlementFacts } from './read-settlement-facts.ts';
import { findAncestorIds } from '../caps/sql-pass-cap.ts';
import { changeCaps, lockCapsOf, type CapChange } from '../caps/sql-cap-state.ts';
import { endCalls, type EndedCalls } from '../authorizations/sql-call.ts';
import { endHolds } from '../authorizations/sql-hold.ts';
import { expireHolds, lockLiveHolds, lockMoneyOfHolds, settleHolds, type HeldMoney } from './sql-settled-hold.ts';
import {
  advanceSettlements,
  putSettledMonths,
  raiseBalanceAlerts,
  raiseSpendingAlerts,
  readCountedThrough,
} from './sql-settlement.ts';

/** Settles each of the accounts, or none: it throws if a statement fails. Returns those of which more holds may have expired. */
export type SettleAccounts = (
  accounts: readonly AccountToSettle[],
  nowMs: number,
  andThen?: AfterSettling,
) => Promise<readonly string[]>;

/** Is done in the same transaction: until it ends, nobody changes the caps of those that were settled. */
export type AfterSettling = (tx: Transaction) => Promise<void>;

/** An account with what its settlement goes by and does. */
interface Settling {
  readonly facts: SettlementFacts;
  readonly plan: SettlementPlan;
}

export function createSettleAccounts(database: Database): SettleAccounts {
  return async function settleAccounts(accounts, nowMs, andThen) {
    const { facts, watermarkMs } = await database.transaction((tx) => readFacts(tx, accounts, nowMs), {
      isolation: 'snapshot',
    });
    const planned = facts.map((of): Settling => ({ facts: of, plan: planSettlement(of) }));
    return database.transaction(async (tx) => {
      const advanced = await advanceSettlements(tx, facts);
      const settling = planned.filter(({ facts: { accountId } }) => advanced.has(accountId));
      const unfinished = settling.length === 0 ? [] : await settle(tx, settling, { nowMs, watermarkMs });
      await andThen?.(tx);
      return unfinished;
    });
  };
}

async function readFacts(tx: Transaction, accounts: readonly AccountToSettle[], nowMs: number) {
  const watermarkMs = await readCountedThrough(tx);
  return { watermarkMs, facts: await readSettlementFacts(tx, { accounts, nowMs, watermarkMs }) };
}

interface Times {
  readonly nowMs: number;
  /** The watermark of the facts: no event of a hold that had expired by then can come any more. */
  readonly watermarkMs: number;
}

async function settle(
  tx: Transaction,
  settling: readonly Settling[],
  { nowMs, watermarkMs }: Times,
): Promise<readonly string[]> {
  const accountIds = settling.map(({ facts }) => facts.accountId);
  await putSettledMonths(
    tx,
    settling.flatMap(({ facts: { accountId }, plan: { monthMicros } }) =>
      [...monthMicros].map(([period, spentMicros]) => ({ accountId, period, spentMicros })),
    ),
  );
  const moved = await endCaptured(tx, settling);
  const expired = await expireHolds(tx, accountIds, watermarkMs);
  const wishing = settling.filter(({ facts }) => needsRows(facts));
  await lockLiveHoldsOf(tx, wishing);
  const lines = await settleLines(
    tx,
    settling.map(({ facts }) => facts),
  );
  const locked = await lockCapsOf(tx, accountIds);
  const caps = Map.groupBy(locked, ({ accountId }) => accountId);
  const heldByLines = new Map(capChangesOf({ ...lines, caps: locked }).map(({ capId, held }) => [capId, held]));
  const changes = moved.flatMap((of) => {
    return changesOf(of, caps.get(of.accountId) ?? [], { expired: expired.microsByCap, heldByLines });
  });
  await changeCaps(tx, changes);
  await openAllCaps(tx, wishing, { caps, lines: lines.after });
  await raiseSpendingAlerts(tx, { accountIds, nowMs, spentOf: changes.filter(({ spent }) => spent > 0n) });
  const withBalance = settling.filter(({ facts: { accountId, wished } }) =>
    [...(caps.get(accountId) ?? []), ...wished].some(({ scope }) => scope === 'balance'),
  );
  await raiseBalanceAlerts(
    tx,
    withBalance.map(({ facts }) => facts.accountId),
    nowMs,
  );
  return expired.unfinished;
}

type CapsByAccount = ReadonlyMap<string, readonly CapState[]>;

/** An account's captured holds and calls, and what becomes of them. */
interface Ended {
  readonly accountId: string;
  readonly plan: SettlementPlan;
  /** Taken out of what caps hold. */
  readonly freed: readonly { readonly capIds: readonly bigint[]; readonly micros: bigint }[];
  /** The charges of events that fall into a cap's window, by cap that holds them. */
  readonly charged: ReadonlyMap<bigint, bigint>;
  /** Likewise, by cap that does not hold them: their gateway had not heard of it. */
  readonly unheard: ReadonlyMap<bigint, bigint>;
}

async function endCaptured(tx: Transaction, settling: readonly Settling[]): Promise<Ended[]> {
  const captured = settling.flatMap(({ plan }) => [...plan.charged, ...plan.expired]);
  const locked = await lockMoneyOfHolds(tx, [...new Set(captured.map(({ holdId }) => holdId))]);
  const holds = new Map(locked.map((hold) => [hold.holdId, hold]));
  const ancestorsOf = settling.some(({ facts }) => facts.hasParts)
    ? await findAncestorIds(tx, [...new Set(locked.flatMap(({ passId }) => passId ?? []))])
    : new Map<string, readonly string[]>();
  const endings = settling.map((of) => endingOf(of, holds));
  await settleHolds(
    tx,
    endings.flatMap(({ settled }) => settled),
  );
  await endHolds(
    tx,
    endings.flatMap(({ expired }) => expired.map(({ holdId }) => holdId)),
    'expired',
  );
  const heldByCalls = await endCalls(
    tx,
    endings.flatMap(({ books }) => books),
  );
  return endings.map((ending) => endedOf(ending, { holds, ancestorsOf, heldByCalls }));
}

/** The holds and calls of one account that the settlement ends. */
interface Ending extends Settling {
  /** Captured holds of single calls: those whose event was counted, and those whose time is over. */
  readonly settled: SettlementPlan['charged'];
  readonly expired: SettlementPlan['expired'];
  readonly books: readonly EndedBook[];
}

type HeldMoneyById = ReadonlyMap<string, HeldMoney>;

function endingOf(of: Settling, holds: HeldMoneyById): Ending {
  const isCapturedAlone = ({ callIndex, holdId }: Captured): boolean =>
    callIndex === null && holds.get(holdId)?.state === 'captured';
  const { charged, expired } = of.plan;
  return {
    ...of,
    settled: charged.filter(isCapturedAlone),
    expired: expired.filter(isCapturedAlone),
    books: endedBooksOf(of, holds),
  };
}

interface EndedFacts {
  readonly holds: HeldMoneyById;
  readonly ancestorsOf: ReadonlyMap<string, readonly string[]>;
  readonly heldByCalls: ReadonlyMap<string, bigint>;
}

function endedOf(ending: Ending, { holds, ancestorsOf, heldByCalls }: EndedFacts): Ended {
  const { facts, plan, settled, expired, books } = ending;
  const { accountId, caps } = facts;
  const charged = chargedOfCaps(settled, { caps, holds });
  const calls = plan.charged.filter(({ callIndex }) => callIndex !== null);
  const unheard = chargedUnheard([...settled, ...calls], { accountId, caps, holds, ancestorsOf });
  for (const { addedOfCaps } of books) addAll(charged, addedOfCaps);
  const freed = [...settled, ...expired].flatMap(({ holdId }) => holds.get(holdId) ?? []);
  const freedOfBooks = books.map(({ bookId }) => {
    const { capIds = [] } = holds.get(bookId) ?? {};
    return { capIds, micros: heldByCalls.get(bookId) ?? 0n };
  });
  return { accountId, plan, freed: [...freed, ...freedOfBooks], charged, unheard };
}

interface EndedBook extends EndedCalls {
  /** The charges of this settlement's calls, by cap. */
  readonly addedOfCaps: ReadonlyMap<bigint, bigint>;
}

function endedBooksOf({ facts, plan }: Settling, holds: HeldMoneyById): EndedBook[] {
  const isCall = ({ callIndex }: Captured): boolean => callIndex !== null;
  const settledOf = Map.groupBy(plan.charged.filter(isCall), ({ holdId }) => holdId);
  const expiredOf = Map.groupBy(plan.expired.filter(isCall), ({ holdId }) => holdId);
  return [...new Set([...settledOf.keys(), ...expiredOf.keys()])].flatMap((bookId) => {
    const book = holds.get(bookId);
    if (book === undefined) return [];
    const settled = settledOf.get(bookId) ?? [];
    const isExtended = book.expiresAtMs > facts.watermarkMs; // since the facts were read
    const addedOfCaps = chargedOfCaps(settled, { caps: facts.caps, holds });
    const added = settled.reduce((sum, { chargedMicros }) => sum + chargedMicros, 0n);
    return {
      accountId: facts.accountId,
      bookId,
      callCount: book.callCount,
      settled: indexesOf(settled),
      expired: isExtended ? [] : indexesOf(expiredOf.get(bookId) ?? []),
      chargedMicros: settled.length === 0 ? book.chargedMicros : (book.chargedMicros ?? 0n) + added,
      chargedOfCaps: book.capIds.map((capId, at) => (book.chargedOfCaps?.[at] ?? 0n) + (addedOfCaps.get(capId) ?? 0n)),
      addedOfCaps,
    };
  });
}

function indexesOf(calls: readonly Captured[]): number[] {
  return calls.flatMap(({ callIndex }) => callIndex ?? []);
}

function addAll(sums: Map<bigint, bigint>, added: ReadonlyMap<bigint, bigint>): void {
  for (const [capId, by] of added) sums.set(capId, (sums.get(capId) ?? 0n) + by);
}

function changesOf(
  { plan, freed, charged, unheard }: Ended,
  caps: readonly CapState[],
  { expired, heldByLines }: Record<'expired' | 'heldByLines', ReadonlyMap<bigint, bigint>>,
): CapChange[] {
  const heldOf = new Map(caps.map(({ capId }) => [capId, (heldByLines.get(capId) ?? 0n) - (expired.get(capId) ?? 0n)]));
  for (const { capIds, micros } of freed)
    for (const capId of capIds) {
      const held = heldOf.get(capId);
      if (held !== undefined) heldOf.set(capId, held - micros);
    }
  return caps.map((cap) => {
    const ofHolds = charged.get(cap.capId) ?? 0n;
    const total = plan.spentOf(cap);
    const ofEvents = ofHolds + (unheard.get(cap.capId) ?? 0n);
    const spent = total === undefined ? ofEvents + plan.restOf(cap) : total - cap.spentMicros;
    return { capId: cap.capId, spent, held: heldOf.get(cap.capId) ?? 0n, unheld: spent - ofHolds, isSettlement: true };
  });
}

/** Whether a wished cap had no row. The balance's may have been dropped since. */
function needsRows({ wished, caps }: SettlementFacts): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => cap.scope === 'balance' || !known.has(capKeyOf(cap)));
}

/** Locks the live holds of all accounts at once, in the order in which everybody locks holds. */
async function lockLiveHoldsOf(tx: Transaction, wishing: readonly Settling[]): Promise<Map<string, Hold[]>> {
  if (wishing.length === 0) return new Map();
  const accountIds = wishing.map(({ facts }) => facts.accountId);
  return Map.groupBy(await lockLiveHolds(tx, accountIds), ({ accountId }) => accountId);
}

/**
 * The live holds are read again: gateways may have taken some before the caps were locked. Only here a hold is locked after a
 * cap. If somebody releases or captures such a hold at this moment, PostgreSQL ends one of the two, which tries again.
 */
async function openAllCaps(
  tx: Transaction,
  wishing: readonly Settling[],
  { caps, lines }: { readonly caps: CapsByAccount; readonly lines: readonly Line[] },
): Promise<void> {
  const live = await lockLiveHoldsOf(tx, wishing);
  for (const { plan, facts } of wishing) {
    const { accountId, wished } = facts;
    await openCaps(tx, plan, {
      accountId,
      wished,
      known: caps.get(accountId) ?? [],
      live: live.get(accountId) ?? [],
      lines: lines.filter((line) => line.accountId === accountId),
    });
  }
}
