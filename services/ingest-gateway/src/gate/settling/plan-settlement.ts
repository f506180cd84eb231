import { measureOf } from '@tollgate/contracts/events/measure';
import { measuresOf } from '@tollgate/contracts/tools/price';
import { dayMs } from '@tollgate/kernel/durations';
import { micros, sumMicros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { periodOf } from '@tollgate/kernel/period';
import { chargeLast } from '@tollgate/pricing/charge-last';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { rateUsage } from '@tollgate/pricing/rate-usage';
import {
  capKeyOf,
  capturedKeyOf,
  type Captured,
  type CapState,
  type CapWish,
  type HeldEvent,
  type SettledHold,
} from '../authorizations/hold.ts';
import { priceAt, type SettlementFacts } from './read-settlement-facts.ts';

export interface SettlementPlan {
  /** The captured holds and calls, with the charges of their events. */
  readonly charged: readonly SettledHold[];
  /** Captured holds and calls that can have no event any more. */
  readonly expired: readonly Captured[];
  /** The invoice's rating of each month. */
  readonly monthMicros: ReadonlyMap<string, Micros>;
  /**
   * Returns what is spent of a balance, of an account's month, or of a new cap of a pass. Undefined: the sum of the
   * charges of events.
   */
  spentOf(cap: CapWish): Micros | undefined;
  /**
   * Returns the amount by which an account's month rose without a hold, for the cap of the present day; 0 for others.
   */
  restOf(cap: CapState): bigint;
  /** The spending of an account, or a pass, in a window before its cap had a row. Undefined: the pass had no cap yet. */
  firstSpentOf(cap: CapWish): Micros | undefined;
}

/** Pure: the same facts, the same plan. */
export function planSettlement(facts: SettlementFacts): SettlementPlan {
  const prices: RatedPrices = new Map(facts.prices.map((price) => [price.priceId, price]));
  const charged = chargeEvents(facts, prices);
  const monthMicros = new Map(facts.periods.map((period) => [period, totalOf(facts.usage, period, prices)]));
  const heldOf = (period: string): bigint =>
    sumBigints(charged.filter((one) => periodOf(one.occurredAtMs) === period).map((one) => one.chargedMicros));
  const chargedKeys = new Set(charged.map(capturedKeyOf));

  return {
    charged,
    expired: facts.expired.filter((captured) => !chargedKeys.has(capturedKeyOf(captured))),
    monthMicros,
    spentOf(cap) {
      if (cap.scope === 'balance') return ofAllMonths();
      if (cap.scope === 'pass') return facts.newlyCapped.has(cap.ownerId) ? spentByPass(cap) : undefined;
      return isMonthOfAccount(cap) ? monthMicros.get(periodOf(cap.startMs)) : undefined;
    },
    restOf(cap) {
      const period = periodOf(cap.startMs);
      const before = facts.settledMonths.get(period);
      const isPresent = cap.startMs <= facts.nowMs && facts.nowMs < cap.endMs;
      if (cap.scope !== 'account' || !isPresent || before === undefined) return 0n;
      return (monthMicros.get(period) ?? before) - before - heldOf(period);
    },
    firstSpentOf(cap) {
      if (cap.scope === 'balance') return ofAllMonths();
      if (cap.scope === 'pass') return spentByPass(cap);
      return isMonthOfAccount(cap) ? (monthMicros.get(periodOf(cap.startMs)) ?? zeroMicros) : spentWithin(cap);
    },
  };

  /** Months that were not rated now are as they were when they were settled last. */
  function ofAllMonths(): Micros {
    return sumMicros(new Map([...facts.settledMonths, ...monthMicros]).values());
  }

  /** Returns by how much less the account's months would come to without the calls of the pass in this window. */
  function spentByPass(cap: CapWish): Micros | undefined {
    const without = facts.usageWithout.get(capKeyOf(cap));
    if (without === undefined) return undefined;
    return sumMicros(
      without.periods.map((period) => {
        return micros((monthMicros.get(period) ?? zeroMicros) - totalOf(without.usage, period, prices));
      }),
    );
  }

  function spentWithin(cap: CapWish): Micros {
    const period = periodOf(cap.startMs);
    const before = totalOf(facts.usageBefore.get(cap.startMs) ?? [], period, prices);
    return micros((monthMicros.get(period) ?? zeroMicros) - before);
  }
}

/** A day ends in its own month, or where that ends: only a whole month is longer. */
function isMonthOfAccount({ scope, startMs, endMs }: CapWish): boolean {
  return scope === 'account' && endMs - startMs > dayMs;
}

function totalOf(usage: readonly CountedUsage[], period: string, prices: RatedPrices): Micros {
  const lines = rateUsage(
    usage.filter((counted) => counted.period === period),
    prices,
  );
  return sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
}

function chargeEvents(facts: SettlementFacts, prices: RatedPrices): SettledHold[] {
  const eventOf = new Map<CountedUsage, HeldEvent>();
  const charged: SettledHold[] = [];
  for (const event of facts.events) {
    const usage = toUsage(event, facts);
    if (usage === undefined) charged.push(toSettled(event, 0n));
    else eventOf.set(usage, event);
  }
  for (const [usage, chargedMicros] of chargeLast(facts.usage, [...eventOf.keys()], prices)) {
    const event = eventOf.get(usage);
    if (event !== undefined) charged.push(toSettled(event, chargedMicros));
  }
  return charged;
}

function toSettled({ holdId, callIndex, occurredAtMs, heldMicros }: HeldEvent, chargedMicros: bigint): SettledHold {
  const passMicros = chargedMicros < heldMicros ? chargedMicros : heldMicros;
  return { holdId, callIndex, occurredAtMs, chargedMicros, passMicros };
}

/** As the rollups have counted it. Undefined: its tool has no price. */
function toUsage(event: HeldEvent, { accountId, prices }: SettlementFacts): CountedUsage | undefined {
  const price = priceAt(prices, event.toolId, event.occurredAtMs);
  if (price === undefined) return undefined;
  const measures = measuresOf(price.price).flatMap((key): [string, string][] => {
    const measure = Object.hasOwn(event.metadata, key) ? measureOf(event.metadata[key]) : undefined;
    return measure === undefined ? [] : [[key, measure]];
  });
  return {
    period: periodOf(event.occurredAtMs),
    consumerId: accountId,
    priceId: price.priceId,
    success: event.success,
    calls: 1n,
    durationMs: event.durationMs,
    measures: new Map(measures),
  };
}

function sumBigints(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
