import type { Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { isPaidOut } from '../processor/sql-connected-accounts.ts';

export interface BuildersQuery {
  readonly period: string;
  readonly processor: string;
  readonly afterId: string;
  readonly minimumMicros: Micros;
  readonly limit: number;
}

/** An owed balance is below zero. A builder that has a payout of the period got it before a restart. */
const text = `
select l.owner_id as builder_id from billing.ledger_account l
join billing.connected_account a on a.account_id = l.owner_id and a.processor = $2 and ${isPaidOut}
where l.kind = 'builder_payable' and l.owner_id > $3 and l.balance_micros <= -$4::numeric
  and not exists (select from billing.payout p where p.builder_id = l.owner_id and p.period = $1)
order by l.owner_id limit $5`;

/**
 * Lists builders that may get a payout, ordered by id: at least the minimum is payable to them, and their payout
 * accounts are enabled.
 */
export async function listBuildersToPay(tx: Transaction, query: BuildersQuery): Promise<string[]> {
  const { period, processor, afterId, minimumMicros, limit } = query;
  const values = [period, processor, afterId, String(minimumMicros), limit];
  const rows = await tx.query<{ builder_id: string }>({ name: 'billing.list_builders_to_pay', text }, values);
  return rows.map(({ builder_id: builderId }) => builderId);
}
