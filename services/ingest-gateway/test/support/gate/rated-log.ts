import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import type { LoggedEvent } from './gate-world.ts';

export interface RatedLogDeps {
  readonly prices: RatedPrices;
  toUsage(event: LoggedEvent): CountedUsage;
}

/** Rates all accepted events by account and month: those that are counted, and those on their way, once by id. */
export interface RatedLog {
  sent(event: LoggedEvent): void;
  /** It is on its way no more: counted, or refused. */
  arrived(event: LoggedEvent, isCounted: boolean): void;
  /** Returns the charges by month. */
  acceptedOf(accountId: string): Map<string, bigint>;
  /** The same, added up from the first event on. */
  acceptedAnew(accountId: string): Map<string, bigint>;
  countedOf(accountId: string): Map<string, bigint>;
}

interface Known {
  counted: LoggedEvent | undefined;
  readonly underway: LoggedEvent[];
}

/** Keeps sums, and rates an account again only after they have changed. The rating itself is that of the price list. */
export function createRatedLog({ prices, toUsage }: RatedLogDeps): RatedLog {
  const known = new Map<string, Known>();
  const sums = new Map<string, Sums>();
  const rated = new Map<string, Map<string, bigint>>();

  function change(event: LoggedEvent, by: (known: Known) => void): void {
    const one = known.get(event.eventId) ?? { counted: undefined, underway: [] };
    const before = acceptedIn(one);
    by(one);
    known.set(event.eventId, one);
    const after = acceptedIn(one);
    if (before === after) return;
    const sumsOfAccount = sums.get(event.accountId) ?? new Map<string, CountedUsage>();
    if (before !== undefined) addTo(sumsOfAccount, toUsage(before), -1n);
    if (after !== undefined) addTo(sumsOfAccount, toUsage(after), 1n);
    sums.set(event.accountId, sumsOfAccount);
    rated.delete(event.accountId);
  }

  function rateAnew(accountId: string, choose: (known: Known) => LoggedEvent | undefined): Map<string, bigint> {
    const chosen: Sums = new Map();
    for (const one of known.values()) {
      const event = choose(one);
      if (event?.accountId === accountId) addTo(chosen, toUsage(event), 1n);
    }
    return rateByMonth(chosen, prices);
  }

  return {
    sent: (event) => change(event, ({ underway }) => underway.push(event)),
    arrived: (event, isCounted) =>
      change(event, (one) => {
        const place = one.underway.indexOf(event);
        if (place >= 0) one.underway.splice(place, 1);
        if (isCounted) one.counted = event;
      }),
    acceptedOf(accountId) {
      const months = rated.get(accountId) ?? rateByMonth(sums.get(accountId) ?? new Map(), prices);
      rated.set(accountId, months);
      return months;
    },
    acceptedAnew: (accountId) => rateAnew(accountId, acceptedIn),
    countedOf: (accountId) => rateAnew(accountId, ({ counted }) => counted),
  };
}

/** Returns the accepted event: of two with one id, the first that is counted. */
function acceptedIn({ counted, underway }: Known): LoggedEvent | undefined {
  return counted ?? underway[0];
}

/** Sums by month, price version and outcome: rating needs no more. */
type Sums = Map<string, CountedUsage>;

function addTo(sums: Sums, usage: CountedUsage, times: 1n | -1n): void {
  const key = `${usage.period} ${usage.priceId} ${usage.success}`;
  const before = sums.get(key);
  const keys = new Set([...(before?.measures.keys() ?? []), ...usage.measures.keys()]);
  const amountOf = (of: CountedUsage | undefined, measure: string) => BigInt(of?.measures.get(measure) ?? '0');
  sums.set(key, {
    ...usage,
    calls: (before?.calls ?? 0n) + times * usage.calls,
    durationMs: (before?.durationMs ?? 0n) + times * usage.durationMs,
    measures: new Map(
      [...keys].map((each) => [each, String(amountOf(before, each) + times * amountOf(usage, each))] as const),
    ),
  });
}

function rateByMonth(sums: Sums, prices: RatedPrices): Map<string, bigint> {
  const months = new Map<string, bigint>();
  for (const [key, amount] of rateSlowly([...sums.values()], prices)) {
    const period = /\d{4}-\d{2}/.exec(key)?.[0] ?? key;
    months.set(period, (months.get(period) ?? 0n) + amount);
  }
  return months;
}
