import { onlyRow, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import type { BalanceBound } from './plan-spendable.ts';

interface BoundRow {
  readonly balance: bigint;
  readonly owed: bigint;
  readonly credit_limit: bigint | null;
  readonly unbilled: bigint | null;
  readonly held: bigint | null;
}

// A row that is older than the limit is of a limit that was taken away: nothing keeps it right.
const text = `
select p.balance_micros::bigint as balance, p.owed_micros::bigint as owed, p.credit_limit_micros::bigint as credit_limit,
  (c.spent_micros - p.billed_micros)::bigint as unbilled, c.held_micros as held
from billing.own_spending_power_v1($2) p
left join gate.cap_state_v1 c on c.scope = 'balance' and c.owner_id = $1 and c.window_start in (
  'epoch', (select l.since from billing.credit_limit l where l.account_id = $1))`;

/** For the account of the transaction. */
export async function readBalanceBound(tx: Transaction, accountId: string, atMs: number): Promise<BalanceBound> {
  const statement = { name: 'billing.read_balance_bound', text };
  const row = onlyRow(await tx.query<BoundRow>(statement, [accountId, toIso(atMs)]));
  const { unbilled: unbilledMicros, held: heldMicros } = row;
  return {
    balanceMicros: row.balance,
    owedMicros: row.owed,
    creditLimitMicros: row.credit_limit,
    calls: unbilledMicros === null || heldMicros === null ? null : { unbilledMicros, heldMicros },
  };
}
