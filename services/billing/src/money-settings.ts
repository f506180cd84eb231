import { parseDecimal } from '@tollgate/kernel/decimal';
import { dayMs } from '@tollgate/kernel/durations';
import { parseUsd, type Micros } from '@tollgate/kernel/money';
import { floorToCents } from '@tollgate/kernel/whole-cents';
import type { PriceBounds } from './catalogue/price-bounds.ts';
import type { FeeBearer, FeeScope } from './fees/fee.ts';
import type { Issuer } from './invoicing/party.ts';
import type { YoungBuilderSettings } from './payouts/plan-hold.ts';
import type { PayoutSettings } from './payouts/payout.ts';
import type { TraceSettings } from './trace/trace-event.ts';
import type { UsageAlertSettings } from './usage/raise-usage-alerts.ts';
import type { Config, TraceConfig } from './config.ts';

export interface MoneySettings {
  readonly scope: FeeScope;
  readonly feeBearer: FeeBearer;
  /** An invoice below this amount bills nothing. */
  readonly minimumMicros: Micros;
  readonly issuer: Issuer;
  readonly payouts: PayoutSettings;
  readonly usageAlerts: UsageAlertSettings;
  /** An invoice above this waits for the operator. */
  readonly collectMaxCents: bigint;
}

export function moneySettingsOf(config: Config): MoneySettings {
  return {
    scope: config.PLATFORM_FEE_FREE_SCOPE,
    feeBearer: config.PROCESSOR_FEE_BEARER,
    minimumMicros: parseUsd(config.INVOICE_MINIMUM_USD),
    issuer: issuerOf(config),
    usageAlerts: { factor: config.ALERT_USAGE_FACTOR, callsMin: config.ALERT_USAGE_CALLS_MIN },
    payouts: { ...payoutSettingsOf(config), young: youngBuildersOf(config) },
    collectMaxCents: floorToCents(parseUsd(config.INVOICE_COLLECT_MAX_USD)),
  };
}

function issuerOf(config: Config): Issuer {
  const lines = config.INVOICE_ISSUER_ADDRESS.split(';').map((line) => line.trim());
  return {
    name: config.INVOICE_ISSUER_NAME,
    address: lines.filter((line) => line !== ''),
    country: config.INVOICE_ISSUER_COUNTRY ?? null,
    taxId: config.INVOICE_ISSUER_TAX_ID ?? null,
    taxNote: config.INVOICE_TAX_NOTE,
  };
}

export function priceBoundsOf(config: Pick<Config, 'PRICE_MAX_USD' | 'PRICE_RISE_NOTICE_DAYS'>): PriceBounds {
  const { PRICE_MAX_USD: maxUsd, PRICE_RISE_NOTICE_DAYS: noticeDays } = config;
  return { maxUsd: parseDecimal(maxUsd), riseNoticeMs: noticeDays * dayMs };
}

function youngBuildersOf(config: Config): YoungBuilderSettings {
  return {
    youngMs: config.PAYOUT_YOUNG_DAYS * dayMs,
    delayMs: config.PAYOUT_YOUNG_DELAY_DAYS * dayMs,
    reservePercent: config.PAYOUT_RESERVE_PERCENT,
  };
}

export function traceSettingsOf(config: TraceConfig): TraceSettings {
  return { processor: config.PROCESSOR, scope: config.PLATFORM_FEE_FREE_SCOPE, payouts: payoutSettingsOf(config) };
}

function payoutSettingsOf(config: Pick<TraceConfig, 'PAYOUT_DELAY_DAYS' | 'PAYOUT_MINIMUM_USD'>): PayoutSettings {
  return { delayMs: config.PAYOUT_DELAY_DAYS * dayMs, minimumMicros: parseUsd(config.PAYOUT_MINIMUM_USD) };
}
