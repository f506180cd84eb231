import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { lookBackFrom } from './look-back.ts';
import type { InvoiceFacts } from './plan-invoice.ts';
import { readBilled } from './sql-read-billed.ts';
import { rateConsumers } from './rate-consumers.ts';

export interface FactsQuery {
  readonly consumerIds: readonly string[];
  readonly period: string;
  readonly minimumMicros: Micros;
}

export interface GatheredFacts extends InvoiceFacts {
  /** The period of the consumer's last invoice; null if it has none. */
  readonly lastPeriod: string | null;
}

/**
 * Reads the facts of each consumer, in the order of `consumerIds`. The close and the preview both use it, each with the
 * rights of its role.
 *
 * Billed lines are read before counted usage. In the other order, an invoice stored between the two reads would bill
 * usage that was not read.
 */
export async function gatherInvoiceFacts(
  tx: Transaction,
  { consumerIds, period, minimumMicros }: FactsQuery,
): Promise<GatheredFacts[]> {
  const lookBack = lookBackFrom(period);
  const billed = await readBilled(tx, consumerIds, lookBack.firstPeriod);
  const rated = await rateConsumers(tx, consumerIds, lookBack);
  return consumerIds.map((consumerId) => {
    const { lines = [], last = null } = billed.get(consumerId) ?? {};
    return {
      consumerId,
      period,
      minimumMicros,
      rated: rated.get(consumerId) ?? [],
      billed: lines,
      carriedInMicros: last?.carriedOutMicros ?? zeroMicros,
      lastPeriod: last?.period ?? null,
    };
  });
}
