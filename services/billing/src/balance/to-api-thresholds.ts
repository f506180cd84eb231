import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';

export function toApiThresholds(cents: readonly bigint[]) {
  return cents.map((one) => toUsdNumber(centsToMicros(one)));
}
