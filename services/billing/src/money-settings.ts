import { dayMs } from '@tollgate/kernel/durations';
import { parseUsd } from '@tollgate/kernel/money';
import type { PayoutSettings } from './payouts/schedule-payouts.ts';
import type { TraceSettings } from './trace/trace-event.ts';
import type { TraceConfig } from './config.ts';

export function payoutSettingsOf(
  config: Pick<TraceConfig, 'PAYOUT_DELAY_DAYS' | 'PAYOUT_MINIMUM_USD'>,
): PayoutSettings {
  return { delayMs: config.PAYOUT_DELAY_DAYS * dayMs, minimumMicros: parseUsd(config.PAYOUT_MINIMUM_USD) };
}

export function traceSettingsOf(config: TraceConfig): TraceSettings {
  return { processor: config.PROCESSOR, scope: config.PLATFORM_FEE_FREE_SCOPE, payouts: payoutSettingsOf(config) };
}
