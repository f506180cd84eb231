import type { Transaction } from '@tollgate/database/database';
import { isSettledIn, toSettledValues, type SettledIn } from './settled-in.ts';
import { fetchAllInBatches } from '../usage/sql-fetch-in-batches.ts';

/** The consumer and the month of a charge. */
export interface EarnedKey {
  readonly period: string;
  readonly consumerId: string;
  readonly priceId: string;
  readonly chargeIndex: number;
}

const settledText = `
select distinct period, consumer_id, price_id, charge_index from billing.settled_line
where builder_id = $1 and ${isSettledIn} and not is_refund and not is_adjustment`;

/** Lists the charges for calls that a payout took, or will take. */
export async function listSettledKeys(tx: Transaction, builderId: string, by: SettledIn): Promise<EarnedKey[]> {
  return fetchAllInBatches(tx, { text: settledText, values: [builderId, ...toSettledValues(by)], fromRow: fromDbKey });
}

const uncollectedText = `
select distinct period, consumer_id, price_id, charge_index from billing.uncollected_line
where builder_id = $1 and not is_adjustment`;

/** Lists the charges for calls that are not collected. */
export async function listUncollectedKeys(tx: Transaction, builderId: string): Promise<EarnedKey[]> {
  return fetchAllInBatches(tx, { text: uncollectedText, values: [builderId], fromRow: fromDbKey });
}

interface DbKey {
  readonly period: string;
  readonly consumer_id: string;
  readonly price_id: string;
  readonly charge_index: number;
}

function fromDbKey(row: DbKey): EarnedKey {
  return {
    period: row.period,
    consumerId: row.consumer_id,
    priceId: row.price_id,
    chargeIndex: row.charge_index,
  };
}
