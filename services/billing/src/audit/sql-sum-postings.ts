import type { Queryable } from '@tollgate/database/database';
import { micros } from '@tollgate/kernel/money';
import type { LedgerAccountKind } from '../ledger/ledger-posting.ts';
import type { PostingSum } from './plan-money-path.ts';

const text = `
select split_part(t.business_key, ':', 1) as posting, a.kind, sum(e.amount_micros)::text as micros
from billing.ledger_transaction t join billing.ledger_entry e using (transaction_id)
join billing.ledger_account a using (ledger_account_id)
where t.period = $1 group by 1, 2`;

export async function sumPostings(db: Queryable, period: string): Promise<PostingSum[]> {
  const rows = await db.query<{ posting: string; kind: LedgerAccountKind; micros: string }>(text, [period]);
  return rows.map(({ posting, kind, micros: amount }) => ({ posting, kind, amountMicros: micros(BigInt(amount)) }));
}
