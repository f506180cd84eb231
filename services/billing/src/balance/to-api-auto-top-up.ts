import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { AutoTopUp } from './auto-top-up.ts';

export function toApiAutoTopUp({ failureCode, retryAtMs, ...setting }: AutoTopUp) {
  const usd = (cents: bigint) => toUsdNumber(centsToMicros(cents));
  return {
    below_usd: usd(setting.belowCents),
    amount_usd: usd(setting.amountCents),
    monthly_max_usd: usd(setting.monthlyMaxCents),
    month_usd: usd(setting.orderedCents),
    failure_code: failureCode,
    retry_at: retryAtMs === null ? null : toIso(retryAtMs),
  };
}
