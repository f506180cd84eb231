import type { Transaction } from '@tollgate/database/database';
import type { PaymentMethod } from '../processor/processor.ts';
import { fromDbCard, type DbCard } from '../processor/db-card.ts';
import type { ScopeAt } from './sql-read-settled-movements.ts';

/** A payout account of a builder, or a customer of a consumer, as our books have it. */
export interface Party {
  readonly kind: 'payout account' | 'customer';
  readonly objectId: string;
  readonly accountId: string;
  /** Money may go to it, or be taken from it. */
  readonly isInUse: boolean;
  /** It was replaced by another. */
  readonly isPast: boolean;
  /** A customer's card. */
  readonly card: PaymentMethod | undefined;
}

const text = `
select 'payout account' as kind, processor_account_id as object_id, account_id, payouts_enabled and disconnected_at is null as is_in_use,
  false as is_past, null as payment_method_id, null as brand, null as last4, null::integer as exp_month, null::integer as exp_year
from billing.connected_account where processor = $1 and ($2::uuid is null or account_id = $2)
union all
select 'payout account', processor_account_id, account_id, false, true, null, null, null, null, null
from billing.past_payout_account where processor = $1 and ($2::uuid is null or account_id = $2)
union all
select 'customer', processor_customer_id, account_id, payment_method_id is not null, false, payment_method_id, brand, last4, exp_month, exp_year
from billing.processor_customer where processor = $1 and ($2::uuid is null or account_id = $2)
order by 1, 2`;

interface Row extends DbCard {
  readonly kind: Party['kind'];
  readonly object_id: string;
  readonly account_id: string;
  readonly is_in_use: boolean;
  readonly is_past: boolean;
}

export async function readParties(tx: Transaction, { processor, accountId }: ScopeAt): Promise<Party[]> {
  const rows = await tx.query<Row & object>(text, [processor, accountId ?? null]);
  return rows.map(({ kind, object_id: objectId, account_id, is_in_use: isInUse, is_past: isPast, ...card }) => {
    return { kind, objectId, accountId: account_id, isInUse, isPast, card: fromDbCard(card) };
  });
}
