import type { Queryable } from '@tollgate/database/database';

export interface PayoutMonth {
  readonly id: string;
  readonly builderId: string;
  readonly period: string;
}

const text = `
select payout_id as id, builder_id as "builderId", period from billing.payout where payout_id > $1 order by payout_id limit $2`;

/** Lists the next payouts in the order of their ids. */
export async function listPayoutMonths(db: Queryable, afterId: string, limit: number): Promise<PayoutMonth[]> {
  return db.query<PayoutMonth & object>(text, [afterId, limit]);
}
