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
  /** Of the last invoice; null before the first. */
  readonly lastPeriod: string | null;
}

/**
 * One for each consumer, in their order. The close and the preview read the same, each as far as its role may see. What was
 * billed is read before what is counted: the other way round an invoice made in between would bill more than was counted.
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
