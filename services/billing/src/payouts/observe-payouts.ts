import { dayMs } from '@tollgate/kernel/durations';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { countFailingPayouts, sumUnfundedPayouts, type UnfundedPayouts } from './sql-list-payouts.ts';
import type { PayoutsDeps } from './payout.ts';

/** A payout that fails for so long waits for the operator. */
export const failingPayoutMs = 7 * dayMs;

/**
 * Measures payouts that keep failing, and payouts that our own balance is too small for. The log names the missing
 * amount each time that it changes (F116). It runs after the transfers and is never work by itself.
 */
export function createObservePayouts({ database, settings, log, metrics }: PayoutsDeps) {
  const failing = metrics?.gauge(
    'tollgate_billing_failing_payouts',
    'Payouts that have failed for more than 7 days, of builders who are owed money.',
  );
  const waiting = metrics?.gauge(
    'tollgate_billing_unfunded_payouts',
    'Scheduled payouts whose last transfer was refused because our balance at the processor is too small.',
  );
  const missing = metrics?.gauge(
    'tollgate_billing_unfunded_payouts_usd',
    'The sum of those payouts in US dollars: our balance lacks at most this.',
  );
  let loggedCents = 0n;

  return async function observePayouts(nowMs: number): Promise<number> {
    failing?.set(
      await countFailingPayouts(database, { sinceMs: nowMs - failingPayoutMs, minimumMicros: settings.minimumMicros }),
    );
    const unfunded = await sumUnfundedPayouts(database);
    waiting?.set(unfunded.payouts);
    missing?.set(Number(unfunded.cents) / 100); // a gauge is a float; the log has the exact amount
    if (unfunded.cents !== loggedCents) logUnfunded(unfunded);
    loggedCents = unfunded.cents;
    return 0;
  };

  function logUnfunded({ payouts, cents }: UnfundedPayouts): void {
    if (cents === 0n) return log.info('our balance at the processor covers all payouts again');
    const facts = { payouts, missing_usd: formatUsd(centsToMicros(cents)) };
    log.error(facts, 'our balance at the processor is too small for payouts; it lacks at most this amount');
  }
}
