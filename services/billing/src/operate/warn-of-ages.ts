import type { Logger } from '@tollgate/runtime/logging/create-logger';

import type { MoneyFigures } from './sql-money-figures.ts';

type Ages = Pick<MoneyFigures, 'sweep_age' | 'watermark_age' | 'unknown_order_age'>;

interface Bound {
  /** In seconds. The alerts of `deploy/observability/rules.yml` have the same bounds. */
  readonly above: number;
  readonly message: string;
}

export const ageBounds: Readonly<Record<keyof Ages, Bound>> = {
  sweep_age: {
    above: 172_800,
    message: 'the daily sweep of the processor has not completed for two days; lost webhooks are not recovered',
  },
  watermark_age: { above: 600, message: 'usage has not been counted for ten minutes; periods close later' },
  unknown_order_age: {
    above: 3_600,
    message:
      'the outcome of an order to the processor has been unknown for an hour; do not pay by hand until it is known',
  },
};

/** A start after a pause, or a clock that was moved, passes a bound for one round. */
const roundsBefore = 2;

/**
 * Warns once when an age is beyond its bound for two rounds, and again only after it was within the bound. An age that is
 * not known leaves all as it is.
 */
export function createWarnOfAges(log: Pick<Logger, 'warn'>) {
  const roundsOf = { sweep_age: 0, watermark_age: 0, unknown_order_age: 0 };
  return function warnOfAges(ages: Ages): void {
    for (const name of ['sweep_age', 'watermark_age', 'unknown_order_age'] as const) {
      const age = ages[name];
      const { above, message } = ageBounds[name];
      if (age === null) continue;
      roundsOf[name] = age > above ? roundsOf[name] + 1 : 0;
      if (roundsOf[name] === roundsBefore) log.warn({ age_seconds: Math.round(age) }, message);
    }
  };
}
