import type { Transaction } from '@tollgate/database/database';
import type { ScopeAt } from './sql-read-settled-movements.ts';

/** A payout account of a builder, or a customer of a consumer, as our books have it. */
export interface Party {
  readonly kind: 'payout account' | 'customer';
  readonly objectId: string;
  readonly accountId: string;
  /** Money may go to it, or be taken from it. */
  readonly isInUse: boolean;
}

const text = `
select 'payout account' as kind, processor_account_id as object_id, account_id, payouts_enabled and disconnected_at is null as is_in_use
from billing.connected_account where processor = $1 and ($2::uuid is null or account_id = $2)
union all
select 'customer', processor_customer_id, account_id, payment_method_id is not null
from billing.processor_customer where processor = $1 and ($2::uuid is null or account_id = $2)
order by 1, 2`;

interface Row {
  readonly kind: Party['kind'];
  readonly object_id: string;
  readonly account_id: string;
  readonly is_in_use: boolean;
}

export async function readParties(tx: Transaction, { processor, accountId }: ScopeAt): Promise<Party[]> {
  const rows = await tx.query<Row & object>(text, [processor, accountId ?? null]);
  return rows.map(({ kind, object_id: objectId, account_id, is_in_use: isInUse }) => {
    return { kind, objectId, accountId: account_id, isInUse };
  });
}
