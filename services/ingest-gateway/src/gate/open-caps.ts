import type { Transaction } from '@tollgate/database/database';
import { capKeyOf, type CapState, type CapWish, type Hold } from './hold.ts';
import type { SettlementPlan } from './plan-settlement.ts';
import { findBudget, type Budget } from './sql-budget.ts';
import { insertCap } from './sql-cap-state.ts';
import { addCapToHolds, lockLiveHolds } from './sql-hold.ts';
import { windowAt } from './spending-window.ts';

export interface OpenCapsQuery {
  readonly accountId: string;
  readonly wished: readonly CapWish[];
  /** The account's rows, locked. */
  readonly known: readonly CapState[];
}

/**
 * Makes the rows that caps lack: with what was spent of the window before, and with all that is on its way. Part of a
 * settlement, so that both are of one moment.
 */
export async function openCaps(tx: Transaction, plan: SettlementPlan, query: OpenCapsQuery): Promise<void> {
  const known = new Set(query.known.map(capKeyOf));
  const missing = query.wished.filter((cap) => !known.has(capKeyOf(cap)));
  if (missing.length === 0) return;
  const budget = await findBudget(tx, query.accountId);
  const live = await lockLiveHolds(tx, query.accountId);
  for (const cap of missing) if (isInForce(cap, budget)) await openCap(tx, cap, { plan, budget, live });
}

interface Opening {
  readonly plan: SettlementPlan;
  readonly budget: Budget;
  readonly live: readonly Hold[];
}

async function openCap(tx: Transaction, cap: CapWish, { plan, budget, live }: Opening): Promise<void> {
  const { accountId, amountMicros, alerts } = budget;
  const heldMicros = live.reduce((sum, hold) => sum + hold.micros, 0n);
  const amounts = { capMicros: amountMicros ?? 0n, spentMicros: plan.firstSpentOf(cap), heldMicros };
  const capId = await insertCap(tx, { ...cap, accountId, alerts, ...amounts });
  if (capId !== undefined)
    await addCapToHolds(
      tx,
      live.map(({ holdId }) => holdId),
      capId,
    );
}

/** The gateway that wished for the row may not know yet that the budget has changed. */
function isInForce({ scope, startMs, endMs }: CapWish, budget: Budget | undefined): budget is Budget {
  if (scope !== 'account' || budget === undefined || budget.amountMicros === null) return false;
  const window = windowAt(budget.window, startMs);
  return window.startMs === startMs && window.endMs === endMs;
}
