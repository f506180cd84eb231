/**
 * Settling moves what an account's counted events came to from held to spent, and frees what can have no event any more.
 *
 * 1. Read, in one snapshot: the counted usage, which captured holds have their event in it, and the watermark.
 * 2. Decide (`plan-settlement.ts`): what each event came to, what a month has come to, which holds have expired.
 * 3. Write, in one transaction: advance the number of the settlement, or stop if somebody else has; lock the caps, then the
 *    holds; move the money.
 *
 * An event that is counted between 1 and 3 is held still, and in no sum: the next settlement takes it. A settler that dies
 * before the commit of 3 has done nothing.
 */
import type { Database, Transaction } from '@tollgate/database/database';
import type { CapState, CapWish, Hold } from './hold.ts';
import { planSettlement, type SettlementPlan } from './plan-settlement.ts';
import { readSettlementFacts } from './read-settlement-facts.ts';
import { changeCaps, lockCapsOfAccount, type CapChange } from './sql-cap-state.ts';
import { endHolds, lockHolds, settleHolds } from './sql-hold.ts';
import { openCaps } from './open-caps.ts';
import {
  advanceSettlement,
  putSettledMonths,
  raiseBalanceAlerts,
  raiseSpendingAlerts,
  readCountedThrough,
} from './sql-settlement.ts';

export interface SettleRequest {
  readonly accountId: string;
  readonly nowMs: number;
  /** Caps whose rows are made, if they have none yet. */
  readonly wished?: readonly CapWish[];
}

export type SettleAccount = (request: SettleRequest) => Promise<void>;

export function createSettleAccount(database: Database): SettleAccount {
  return async function settleAccount({ accountId, nowMs, wished = [] }) {
    const query = { accountId, nowMs, wished };
    const facts = await database.transaction(
      async (tx) => readSettlementFacts(tx, { ...query, watermarkMs: await readCountedThrough(tx) }),
      { isolation: 'snapshot' },
    );
    const plan = planSettlement(facts);
    await database.transaction(async (tx) => {
      if (!(await advanceSettlement(tx, accountId, facts.seq))) return;
      const caps = await lockCapsOfAccount(tx, accountId);
      const changes = await moveMoney(tx, plan, caps);
      await openCaps(tx, plan, { ...query, known: caps });
      await putSettledMonths(tx, accountId, plan.monthMicros);
      await raiseSpendingAlerts(tx, { accountId, nowMs, spentOf: changes.filter(({ spent }) => spent > 0n) });
      if ([...caps, ...wished].some(({ scope }) => scope === 'balance')) await raiseBalanceAlerts(tx, accountId, nowMs);
    });
  };
}

async function moveMoney(tx: Transaction, plan: SettlementPlan, caps: readonly CapState[]): Promise<CapChange[]> {
  const holds = await lockHolds(tx, [...plan.charged.keys(), ...plan.expired].toSorted());
  const settled = holds.filter(({ holdId, state }) => state === 'captured' && plan.charged.has(holdId));
  const ended = holds.filter((hold) => !plan.charged.has(hold.holdId) && isAsRead(hold, plan));
  await settleHolds(
    tx,
    settled.flatMap(({ holdId }) => plan.charged.get(holdId) ?? []),
  );
  await endHolds(
    tx,
    ended.map(({ holdId }) => holdId),
    'expired',
  );
  const changes = caps.map((cap) => changeOf(cap, { plan, settled, ended }));
  await changeCaps(tx, changes);
  return changes;
}

/** An open hold may have been captured since it was read, and its event is on its way. */
function isAsRead({ holdId, state }: Hold, plan: SettlementPlan): boolean {
  return plan.expiredCaptured.has(holdId) ? state === 'captured' : state === 'open';
}

interface Moved {
  readonly plan: SettlementPlan;
  readonly settled: readonly Hold[];
  readonly ended: readonly Hold[];
}

function changeOf(cap: CapState, { plan, settled, ended }: Moved): CapChange {
  let held = 0n;
  let charged = 0n;
  for (const hold of [...settled, ...ended]) if (hold.capIds.includes(cap.capId)) held -= hold.micros;
  for (const { holdId, capIds } of settled) {
    const of = plan.charged.get(holdId);
    if (of !== undefined && capIds.includes(cap.capId) && isWithin(cap, of.occurredAtMs)) charged += of.chargedMicros;
  }
  const total = plan.spentOf(cap);
  const spent = total === undefined ? charged + plan.restOf(cap) : total - cap.spentMicros;
  return { capId: cap.capId, spent, held, unheld: spent - charged };
}

function isWithin({ startMs, endMs }: CapState, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}
