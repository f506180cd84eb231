import { zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { followingPeriod, firstPeriodOfLookBack } from './due-period.ts';
import type { InvoiceFacts } from './plan-invoice.ts';
import { rateConsumers } from '../usage/rate-consumers.ts';
import { readLateUsage, type LateUsage, readBilled } from './sql-read-billed.ts';
import { readFirstUnclosed } from './sql-unclosed-consumers.ts';
import type { UsageSpan } from '../usage/usage-row.ts';

export interface FactsQuery {
  readonly consumerIds: readonly string[];
  readonly period: string;
  /** The last closed period before `period`; null if there is none. */
  readonly lastClosed: string | null;
  readonly minimumMicros: Micros;
  /** Throws `TooMuchUsage` where there are more rows of usage, or more billed lines. */
  readonly usageRowsMax: number;
}

export interface GatheredFacts extends InvoiceFacts {
  /** The period of the consumer's last invoice; null if it has none. */
  readonly lastPeriod: string | null;
  /** The closed period of which the consumer's invoice could not be made yet, if there is one. */
  readonly unclosedFrom: string | undefined;
  /** The late usage that is in `rated`. */
  readonly late: readonly LateUsage[];
}

/**
 * Reads the facts of each consumer, in the order of `consumerIds`. The close and the preview both use it, each with the
 * rights of its role. It rates the periods after the last close, and of the closed ones those with late usage.
 *
 * Late usage and billed lines are read before counted usage. In the other order, usage could be taken for billed that was
 * not read, or an invoice stored between two reads would bill usage that was not read.
 */
export async function gatherInvoiceFacts(tx: Transaction, query: FactsQuery): Promise<GatheredFacts[]> {
  const { consumerIds, period, minimumMicros, usageRowsMax: rowsMax } = query;
  const { spans, unclosed, late } = await findSpans(tx, query);
  const billed = await readBilled(tx, spans, { rowsMax });
  const rated = await rateConsumers(tx, spans, { rowsMax });
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
      unclosedFrom: unclosed.get(consumerId),
      late: late.get(consumerId) ?? [],
    };
  });
}

export type SpansQuery = Pick<FactsQuery, 'consumerIds' | 'period' | 'lastClosed'>;

/** The months to rate: those after the last close, or after a consumer's own last one, and closed ones with late usage. */
export async function findSpans(tx: Transaction, query: SpansQuery) {
  const { consumerIds, period, lastClosed } = query;
  const firstPeriod = firstPeriodOfLookBack(period);
  const unclosed = await readFirstUnclosed(tx, consumerIds);
  const late = Map.groupBy(await readLateUsage(tx, consumerIds, firstPeriod), ({ consumerId }) => consumerId);
  const openFrom = (consumerId: string): string =>
    unclosed.get(consumerId) ?? (lastClosed === null ? firstPeriod : followingPeriod(lastClosed));
  const spans = consumerIds.flatMap((consumerId) => [
    { consumerId, firstPeriod: openFrom(consumerId), lastPeriod: period },
    ...(late.get(consumerId) ?? []).filter((one) => one.period < openFrom(consumerId)).map(toSpan),
  ]);
  return { spans, unclosed, late };
}

function toSpan({ consumerId, period }: LateUsage): UsageSpan {
  return { consumerId, firstPeriod: period, lastPeriod: period };
}
