import { useEach, useOnce } from '@tollgate/testkit/use-world';
import { createStripeMoneyFixture, type StripeMoneyFixture } from './stripe-money-fixture.ts';

export const collectionDay = '2026-02-02T00:00:01.000Z';
export const payoutDay = '2026-02-08T00:00:01.000Z';
export const nothingDiffers = { cashMicros: 0n, ledger: [] };

export interface GivenStripeMoney {
  /** Happens before the builder is connected. */
  first?(fixture: StripeMoneyFixture): void;
  /** Calls in January, of a cent each. */
  readonly calls?: number;
  /** Times through which all is counted and done, one after the other. */
  readonly reached?: readonly string[];
  /** Happens last. */
  last?(fixture: StripeMoneyFixture): Promise<unknown>;
}

/** A connected builder, a consumer with a card and the double of Stripe, for each test. */
export const useStripeMoney = (given: GivenStripeMoney = {}): StripeMoneyFixture =>
  useEach(() => openStripeMoney(given));

/** The same, once for tests that change nothing. */
export const useStripeMoneyOnce = (given: GivenStripeMoney): StripeMoneyFixture =>
  useOnce(() => openStripeMoney(given));

async function openStripeMoney({ first, calls = 0, reached = [], last }: GivenStripeMoney) {
  const fixture = await createStripeMoneyFixture();
  first?.(fixture);
  await fixture.connect();
  if (calls > 0) await fixture.useTool('2026-01', calls);
  for (const time of reached) await fixture.reach(time);
  await last?.(fixture);
  return fixture;
}
