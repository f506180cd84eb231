import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { periodOf } from '@tollgate/kernel/period';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import { createInvoicingFixture, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import type { TestRollup } from '../support/put-rollup.ts';
import { makeRandomTools, toUsagePart, type RandomTool } from '../support/random-prices.ts';
import { lineKey, rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';

const months = ['2023-11', '2023-12', '2024-01', '2024-02', '2024-03', '2024-04'] as const;
const builders = ['0000000b-0000-4000-8000-00000000000a', '0000000b-0000-4000-8000-00000000000b'] as const;
const consumers = [
  '1000000a-0000-4000-8000-000000000000',
  '1000000b-0000-4000-8000-000000000000',
  '1000000c-0000-4000-8000-000000000000',
  '1000000d-0000-4000-8000-000000000000',
  builders[0], // calls too, its own tools among them
] as const;

let fixture: InvoicingFixture;

beforeEach(async () => {
  fixture = await createInvoicingFixture();
});

afterEach(() => fixture.drop());

/**
 * Random usage in random order, some of it late, closed month after month; beside it a model that keeps plain sums and
 * knows nothing of invoices as rows: what each consumer owes in all is the slow rating of everything counted so far.
 */
describe('months of random usage', () => {
  const seeds = seededRandom('invoicing simulation');

  it.each([1, 2, 3, 4, 5, 6])(
    'lose and invent no micro-dollar, whatever the order and however late: %i',
    async () => {
      const random = seeds.fork();
      const tools = await makeRandomTools(random, {
        slugs: ['search', 'parse', 'translate'],
        builders,
        unitPricesUsd: ['0.0025', '0.0000005', '0.01', '0.000123456789', '0'],
        changesIn: ['2024-01', '2024-02', '2024-03'],
        putTool: fixture.putTool,
      });
      const model = new Model(new Map(tools.flatMap(({ versions }) => versions.map((each) => [each.priceId, each]))));
      for (const [index, month] of months.entries()) {
        const usage = shuffle(random, makeUsage(random, tools, index));
        for (const rollup of usage) await fixture.addUsage(rollup);
        await fixture.close(month);
        model.close(
          month,
          usage.map((rollup) => toUsagePart(rollup, tools)),
        );
        expect(await readBooks()).toEqual(model.books());
        expect((await checkLedger(fixture.worker)).differences).toEqual([]);
      }
      const late = Object.keys(model.books()).filter(
        (name) => name.includes(' line ') && name.slice(0, 7) !== name.slice(13, 20),
      );
      expect(late).not.toEqual([]);
    },
    60_000,
  );
});

/** Mostly of this month; some of months that are closed, back to the first; some right where a price version begins. */
function makeUsage(random: SeededRandom, tools: readonly RandomTool[], month: number): TestRollup[] {
  return Array.from({ length: 25 }, () => {
    const tool = random.pick(tools as readonly [RandomTool, ...RandomTool[]]);
    return {
      consumerId: random.pick(consumers),
      tool: tool.slug,
      hour: makeHour(random, tool, month),
      success: random.chance(0.8),
      calls: random.integer(1, 200),
      durationMs: BigInt(random.integer(0, 5_000)),
      measures: random.chance(0.7) ? { tokens: `${random.integer(0, 900)}.${random.integer(1, 9)}` } : {},
    };
  });
}

function makeHour(random: SeededRandom, { versions }: RandomTool, month: number): string {
  const versionStart = versions[1]?.effectiveFromMs ?? 0;
  if (random.chance(0.2) && periodOf(versionStart) <= (months[month] ?? ''))
    return toIso(versionStart + random.pick([-hourMs, 0]));
  const of = random.chance(0.25) ? random.integer(0, month) : month;
  const day = String(random.pick([1, 28, random.integer(1, 28)])).padStart(2, '0');
  const hour = String(random.pick([0, 23, random.integer(0, 23)])).padStart(2, '0');
  return `${months[of]}-${day}T${hour}:00:00.000Z`;
}

function shuffle<Item>(random: SeededRandom, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Amounts in micro-dollars, as text, by what they belong to. */
type Books = Readonly<Record<string, string>>;

/** Plain sums, an invoice being what all that is counted costs now, less what was charged before. */
class Model {
  private readonly book: Record<string, string> = {};
  private readonly charged = new Map<string, bigint>();
  private readonly carried = new Map<string, bigint>();
  private readonly balances = new Map<string, bigint>();
  private readonly counted: CountedUsage[] = [];
  private readonly prices: ReadonlyMap<string, RatedPrice>;

  constructor(prices: ReadonlyMap<string, RatedPrice>) {
    this.prices = prices;
  }

  close(month: string, news: readonly CountedUsage[]): void {
    this.counted.push(...news);
    const rated = rateSlowly(this.counted, this.prices);
    for (const consumerId of consumers) {
      const keys = new Set(news.filter((part) => part.consumerId === consumerId).flatMap((part) => this.keysOf(part)));
      const grown = [...keys].filter((key) => rated.has(key));
      if (grown.length > 0) this.invoice(month, consumerId, { grown, rated });
    }
  }

  books(): Books {
    const balances = [...this.balances].filter(([, micros]) => micros !== 0n);
    return { ...this.book, ...Object.fromEntries(balances.map(([name, micros]) => [name, String(micros)])) };
  }

  /** The charges whose quantity this part adds to. */
  private keysOf(part: CountedUsage): string[] {
    const price = this.prices.get(part.priceId);
    if (!price || price.builderId === part.consumerId || !(part.success || price.price.bill_failed_calls)) return [];
    return price.price.charges.flatMap(({ metric }, chargeIndex) => {
      const isAdded = { calls: true, duration_ms: part.durationMs > 0n, metadata_sum: part.measures.size > 0 }[
        metric.type
      ];
      return isAdded ? [lineKey({ ...part, chargeIndex })] : [];
    });
  }

  private invoice(
    month: string,
    consumerId: string,
    { grown, rated }: { grown: readonly string[]; rated: ReadonlyMap<string, bigint> },
  ): void {
    let owed = this.carried.get(consumerId) ?? 0n;
    for (const key of grown) {
      const micros = (rated.get(key) ?? 0n) - (this.charged.get(key) ?? 0n);
      this.charged.set(key, rated.get(key) ?? 0n);
      this.book[`${month} line ${key}`] = String(micros);
      owed += micros;
      this.move(`receivable ${consumerId}`, micros);
      this.move(`builder_earned ${this.prices.get(key.split(' / ')[2] ?? '')?.builderId}`, -micros);
    }
    const cents = owed < 500_000n ? 0n : owed / 10_000n;
    this.carried.set(consumerId, owed - cents * 10_000n);
    this.book[`${month} cents ${consumerId}`] = String(cents);
    this.book[`${month} carried ${consumerId}`] = String(owed - cents * 10_000n);
  }

  private move(name: string, micros: bigint): void {
    this.balances.set(name, (this.balances.get(name) ?? 0n) + micros);
  }
}

async function readBooks(): Promise<Books> {
  const rows = await fixture.owner.query<{ name: string; value: string }>(`
    select i.period || ' line ' || concat_ws(' / ', coalesce(l.adjustment_of, i.period), i.consumer_id, l.price_id, l.charge_index)
      as name, l.charge_micros::text as value from billing.invoice i join billing.invoice_line l using (invoice_id)
    union all select period || ' cents ' || consumer_id, total_cents::text from billing.invoice
    union all select period || ' carried ' || consumer_id, carried_out_micros::text from billing.invoice
    union all select kind || ' ' || owner_id, balance_micros::text from billing.ledger_account where balance_micros <> 0`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
