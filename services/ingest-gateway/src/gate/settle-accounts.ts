/**
 * Settling moves what counted events came to from held to spent, and frees what can have no event any more. Accounts are
 * settled many at once: each statement serves all of them, and one transaction locks their rows for a short time.
 *
 * 1. Read, in one snapshot: the counted usage, which captured holds have their event in it, and the watermark.
 * 2. Decide (`plan-settlement.ts`): what each event came to, what a month has come to, which holds have expired.
 * 3. Write, in one transaction: advance the number of each account's settlement, and leave out those that somebody else has
 *    advanced; lock and end the holds; lock the caps last, since every gateway that decides waits for those; move the money.
 *
 * An event that is counted between 1 and 3 is held still, and in no sum: the next settlement takes it. A settler that dies
 * before the commit of 3 has done nothing.
 */
import type { Database, Transaction } from '@tollgate/database/database';
import { capKeyOf, type CapState, type Hold } from './hold.ts';
import { openCaps } from './open-caps.ts';
import { planSettlement, type SettlementPlan } from './plan-settlement.ts';
import { readSettlementFacts, type AccountToSettle, type SettlementFacts } from './read-settlement-facts.ts';
import { changeCaps, lockCapsOf, type CapChange } from './sql-cap-state.ts';
import { endHolds, expireHolds, lockLiveHolds, lockMoneyOfHolds, settleHolds, type HeldMoney } from './sql-hold.ts';
import {
  advanceSettlements,
  putSettledMonths,
  raiseBalanceAlerts,
  raiseSpendingAlerts,
  readCountedThrough,
} from './sql-settlement.ts';

/** Settles each of the accounts, or none: it throws if a statement fails. Returns those of which more holds may have expired. */
export type SettleAccounts = (accounts: readonly AccountToSettle[], nowMs: number) => Promise<readonly string[]>;

/** An account with what its settlement goes by and does. */
interface Settling {
  readonly facts: SettlementFacts;
  readonly plan: SettlementPlan;
}

export function createSettleAccounts(database: Database): SettleAccounts {
  return async function settleAccounts(accounts, nowMs) {
    const { facts, watermarkMs } = await database.transaction((tx) => readFacts(tx, accounts, nowMs), {
      isolation: 'snapshot',
    });
    const planned = facts.map((of): Settling => ({ facts: of, plan: planSettlement(of) }));
    return database.transaction(async (tx) => {
      const advanced = await advanceSettlements(tx, facts);
      const settling = planned.filter(({ facts: { accountId } }) => advanced.has(accountId));
      return settling.length === 0 ? [] : settle(tx, settling, { nowMs, watermarkMs });
    });
  };
}

async function readFacts(tx: Transaction, accounts: readonly AccountToSettle[], nowMs: number) {
  const watermarkMs = await readCountedThrough(tx);
  return { watermarkMs, facts: await readSettlementFacts(tx, { accounts, nowMs, watermarkMs }) };
}

interface Times {
  readonly nowMs: number;
  /** Of the facts: no event can come any more of a hold that had expired by then. */
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
  const caps = Map.groupBy(await lockCapsOf(tx, accountIds), ({ accountId }) => accountId);
  const changes = moved.flatMap((of) => changesOf(of, caps.get(of.accountId) ?? [], expired.microsByCap));
  await changeCaps(tx, changes);
  await openAllCaps(tx, wishing, caps);
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

async function endCaptured(tx: Transaction, settling: readonly Settling[]): Promise<EndedOfAccount[]> {
  const holdIds = settling.flatMap(({ plan }) => [...plan.charged.keys(), ...plan.expired]);
  const locked = await lockMoneyOfHolds(tx, holdIds);
  const holds = new Map(locked.filter(({ state }) => state === 'captured').map((hold) => [hold.holdId, hold]));
  const moved = settling.map(({ facts: { accountId }, plan }): EndedOfAccount => {
    const [settled, ended] = [holdsOf(holds, plan.charged.keys()), holdsOf(holds, plan.expired)];
    return { accountId, plan, settled, ended };
  });
  await settleHolds(
    tx,
    moved.flatMap(({ plan, settled }) => settled.flatMap(({ holdId }) => plan.charged.get(holdId) ?? [])),
  );
  await endHolds(
    tx,
    moved.flatMap(({ ended }) => ended.map(({ holdId }) => holdId)),
    'expired',
  );
  return moved;
}

function holdsOf(holds: ReadonlyMap<string, HeldMoney>, holdIds: Iterable<string>): HeldMoney[] {
  return [...holdIds].flatMap((holdId) => holds.get(holdId) ?? []);
}

interface EndedOfAccount {
  readonly accountId: string;
  readonly plan: SettlementPlan;
  readonly settled: readonly HeldMoney[];
  readonly ended: readonly HeldMoney[];
}

function changesOf(
  { plan, settled, ended }: EndedOfAccount,
  caps: readonly CapState[],
  expired: ReadonlyMap<bigint, bigint>,
): CapChange[] {
  const sums = new Map(caps.map((cap) => [cap.capId, { cap, held: -(expired.get(cap.capId) ?? 0n), charged: 0n }]));
  for (const hold of [...settled, ...ended])
    for (const capId of hold.capIds) {
      const sum = sums.get(capId);
      if (sum !== undefined) sum.held -= hold.micros;
    }
  for (const { holdId, capIds } of settled) {
    const of = plan.charged.get(holdId);
    if (of === undefined) continue;
    for (const capId of capIds) {
      const sum = sums.get(capId);
      if (sum !== undefined && isWithin(sum.cap, of.occurredAtMs)) sum.charged += of.chargedMicros;
    }
  }
  return [...sums.values()].map(({ cap, held, charged }) => {
    const total = plan.spentOf(cap);
    const spent = total === undefined ? charged + plan.restOf(cap) : total - cap.spentMicros;
    return { capId: cap.capId, spent, held, unheld: spent - charged };
  });
}

function isWithin({ startMs, endMs }: CapState, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}

/** Whether a wished cap had no row. The balance's may have been dropped since, and holds may have to join it. */
function needsRows({ wished, caps }: SettlementFacts): boolean {
  const known = new Set(caps.map(capKeyOf));
  return wished.some((cap) => cap.scope === 'balance' || !known.has(capKeyOf(cap)));
}

/** Of all accounts at once, in the order in which everybody locks holds. */
async function lockLiveHoldsOf(tx: Transaction, wishing: readonly Settling[]): Promise<Map<string, Hold[]>> {
  if (wishing.length === 0) return new Map();
  const accountIds = wishing.map(({ facts }) => facts.accountId);
  return Map.groupBy(await lockLiveHolds(tx, accountIds), ({ accountId }) => accountId);
}

/**
 * The live holds are read again: gateways may have taken some before the caps were locked. Only here a hold is locked after a
 * cap. If somebody releases or captures such a hold at this moment, PostgreSQL ends one of the two, which runs again.
 */
async function openAllCaps(tx: Transaction, wishing: readonly Settling[], caps: CapsByAccount): Promise<void> {
  const live = await lockLiveHoldsOf(tx, wishing);
  for (const { plan, facts } of wishing) {
    const { accountId, wished } = facts;
    await openCaps(tx, plan, { accountId, wished, known: caps.get(accountId) ?? [], live: live.get(accountId) ?? [] });
  }
}
