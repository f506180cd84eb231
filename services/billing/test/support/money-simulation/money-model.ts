import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';

/** An invoice as the price list and the rules make it: plain sums, in the order in which invoices were made. */
export interface ModelInvoice {
  readonly consumerId: string;
  readonly period: string;
  readonly lines: readonly ModelLine[];
  readonly cents: bigint;
  readonly carriedOut: bigint;
}

export interface ModelLine {
  /** The line's owner and charge: see `lineKey`. */
  readonly key: string;
  /** The period that it is for: with late counts an earlier one than the invoice's. */
  readonly period: string;
  readonly builderId: string;
  readonly micros: bigint;
}

const minimumMicros = 500_000n;

/**
 * Knows the invoices of each consumer. It knows nothing of rows, jobs or the order of work: the sum owed is the slow
 * rating of everything counted so far, and an invoice is the part of it that was not charged before.
 */
export class InvoicingModel {
  readonly invoices: ModelInvoice[] = [];
  private readonly prices: RatedPrices;
  private readonly charged = new Map<string, bigint>();
  private readonly carried = new Map<string, bigint>();
  private readonly counted: CountedUsage[] = [];
  private waiting: CountedUsage[] = [];

  constructor(prices: RatedPrices) {
    this.prices = prices;
  }

  count(part: CountedUsage): void {
    this.waiting.push(part);
  }

  /** Whether calls of months before this one were counted, and are on no invoice. */
  hasLate(consumerId: string, month: string): boolean {
    return this.waiting.some((part) => part.consumerId === consumerId && part.period < month);
  }

  close(month: string): void {
    const news = this.waiting.filter(({ period }) => period <= month);
    this.waiting = this.waiting.filter(({ period }) => period > month);
    this.counted.push(...news);
    for (const consumerId of new Set(news.map((part) => part.consumerId)))
      this.invoice(
        month,
        consumerId,
        news.filter((part) => part.consumerId === consumerId),
      );
  }

  private invoice(month: string, consumerId: string, news: readonly CountedUsage[]): void {
    const grown = new Map(news.flatMap((part) => this.keysOf(part)));
    const lines: ModelLine[] = [];
    for (const [key, { period, priceId }] of [...grown].toSorted(([a], [b]) =>
      this.rank(a) < this.rank(b) ? -1 : 1,
    )) {
      const now = this.rate({ period, consumerId, priceId }).get(key);
      if (now === undefined) continue;
      const micros = now - (this.charged.get(key) ?? 0n);
      this.charged.set(key, now);
      lines.push({ key, period, builderId: this.prices.get(priceId)?.builderId ?? '', micros });
    }
    if (lines.length === 0) return;
    const owed = lines.reduce((sum, line) => sum + line.micros, this.carried.get(consumerId) ?? 0n);
    const cents = owed < minimumMicros ? 0n : owed / 10_000n;
    const carriedOut = owed - cents * 10_000n;
    this.carried.set(consumerId, carriedOut);
    this.invoices.push({ consumerId, period: month, lines, cents, carriedOut });
  }

  /** Lines stand in the order (period, tool, price version, charge). */
  private rank(key: string): string {
    const [period, , priceId = '', charge] = key.split(' / ');
    const price = this.prices.get(priceId);
    const from = String((price?.effectiveFromMs ?? 0) + 1e15);
    return [period, price?.toolId, from, charge].join(' / ');
  }

  private rate(of: { period: string; consumerId: string; priceId: string }): Map<string, bigint> {
    const { period, consumerId, priceId } = of;
    const parts = this.counted.filter(
      (part) => part.period === period && part.consumerId === consumerId && part.priceId === priceId,
    );
    return rateSlowly(parts, this.prices);
  }

  /** The charges whose quantity this part adds to. */
  private keysOf(part: CountedUsage): [string, { period: string; priceId: string }][] {
    const price = this.prices.get(part.priceId);
    if (!price || price.builderId === part.consumerId || !(part.success || price.price.bill_failed_calls)) return [];
    return price.price.charges.flatMap(({ metric }, chargeIndex) => {
      const isAdded = { calls: true, duration_ms: part.durationMs > 0n, metadata_sum: part.measures.size > 0 }[
        metric.type
      ];
      return isAdded ? [[lineKey({ ...part, chargeIndex }), { period: part.period, priceId: part.priceId }]] : [];
    });
  }
}
