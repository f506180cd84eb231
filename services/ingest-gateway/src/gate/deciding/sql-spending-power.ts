import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

/** An account's money as billing knows it, in micro-dollars. */
export interface SpendingPower {
  /** The amount that an invoice could take. */
  readonly balanceMicros: bigint;
  /** The amount that is invoiced and not paid. */
  readonly owedMicros: bigint;
  /** The amount that all invoices have billed, paid or not. */
  readonly billedMicros: bigint;
  /** Null: the operator set none. */
  readonly creditLimitMicros: bigint | null;
  readonly hasPaymentMethod: boolean;
}

interface PowerRow {
  readonly consumer_id: string;
  readonly balance: bigint;
  readonly owed: bigint;
  readonly billed: bigint;
  readonly credit_limit: bigint | null;
  readonly has_payment_method: boolean;
}

const text = `select consumer_id, balance_micros::bigint as balance, owed_micros::bigint as owed, billed_micros::bigint as billed,
    credit_limit_micros::bigint as credit_limit, has_payment_method
  from billing.spending_power_v1($1, $2, $3)`;

/** How long the money of an account must last: a grant that ends before counts with what calls were laid on it. */
export interface PowerQuery {
  readonly accountId: string;
  readonly untilMs: number;
}

/** One row per account. */
export async function readSpendingPower(
  db: Queryable,
  accounts: readonly PowerQuery[],
  atMs: number,
): Promise<ReadonlyMap<string, SpendingPower>> {
  const values = [
    accounts.map(({ accountId }) => accountId),
    toIso(atMs),
    accounts.map(({ untilMs }) => toIso(untilMs)),
  ];
  const rows = await db.query<PowerRow>({ name: 'gate.read_spending_power', text }, values);
  return new Map(rows.map((row) => [row.consumer_id, fromPowerRow(row)]));
}

function fromPowerRow(row: PowerRow): SpendingPower {
  return {
    balanceMicros: row.balance,
    owedMicros: row.owed,
    billedMicros: row.billed,
    creditLimitMicros: row.credit_limit,
    hasPaymentMethod: row.has_payment_method,
  };
}
