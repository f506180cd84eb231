import { periodOf } from '@tollgate/kernel/period';
import type { Transaction } from '@tollgate/database/database';
import { gatherOpenCharges } from './gather-charges.ts';
import { planLaying, sumByCredit } from './plan-laying.ts';
import { lockCredits } from './sql-balance-credits.ts';
import { listGrants, putReserved, type Grant } from './sql-grants.ts';

/**
 * Lays all charges that no invoice has taken yet on the grants of an account, and stores how much of each grant they need. Its
 * credits are locked. Returns the grants that have something left.
 */
export async function reserveCredits(
  tx: Transaction,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<Grant[]> {
  await lockCredits(tx, accountId);
  const pools = (await listGrants(tx, accountId)).filter(({ cents }) => cents > 0n);
  if (pools.length === 0) return [];
  const charges = await gatherOpenCharges(tx, { accountId, period: periodOf(nowMs) });
  const laid = sumByCredit(planLaying({ ...charges, pools }));
  const grants = pools.map((grant) => ({ ...grant, reservedCents: laid.get(grant.creditId) ?? 0n }));
  await putReserved(tx, grants, nowMs);
  return grants;
}
