import type { Price, PriceModel } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { compareDecimals, formatDecimal, parseDecimal, type Decimal } from '@tollgate/kernel/decimal';
import { hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { neverCostsMore } from '@tollgate/pricing/never-costs-more';

/** The operator's bounds for prices. */
export interface PriceBounds {
  /** No amount in a price is more than this. */
  readonly maxUsd: Decimal;
  /** How long consumers know of a rise before they pay it. */
  readonly riseNoticeMs: number;
}

/** Throws `price_too_high` if an amount of the price is above the bound. */
export function requirePriceAtMost(price: Price, { maxUsd }: PriceBounds): void {
  const isAbove = (amount: string): boolean => compareDecimals(parseDecimal(amount), maxUsd) > 0;
  const place = price.charges.findIndex(({ model }) => amountsOf(model).some(isAbove));
  if (place < 0) return;
  const message = `must have no amount above ${formatDecimal(maxUsd)}`;
  throw new AppError('price_too_high', `No amount of a price may be above ${formatDecimal(maxUsd)} USD.`, {
    errors: [{ pointer: '/price', code: 'too_high', message: `${message}; charge ${place} has one` }],
  });
}

function amountsOf(model: PriceModel): string[] {
  if (model.type === 'per_unit') return [model.unit_price_usd];
  if (model.type === 'package') return [model.package_price_usd];
  return model.tiers.flatMap((tier) => [tier.unit_price_usd, tier.flat_price_usd]);
}

export interface PriceChange {
  readonly next: Price;
  /** The price that would be in force at the beginning of `next` without it. */
  readonly now: Price;
  readonly effectiveFromMs: number;
  readonly nowMs: number;
}

/** The first hour at which the change may begin. Undefined if it may begin as asked. */
export function earliestRiseMs(change: PriceChange, { riseNoticeMs }: PriceBounds): number | undefined {
  const { next, now, effectiveFromMs, nowMs } = change;
  const earliestMs = Math.ceil((nowMs + riseNoticeMs) / hourMs) * hourMs;
  if (riseNoticeMs === 0 || effectiveFromMs >= earliestMs) return undefined;
  const beginsWithMonth = periodBounds(periodOf(effectiveFromMs)).start === effectiveFromMs;
  return neverCostsMore(next, now, { beginsWithMonth }) ? undefined : earliestMs;
}

export function riseTooSoon(earliestMs: number): AppError {
  const at = toIso(earliestMs);
  const message = `must be at or after ${at}, because the price may cost consumers of the tool more`;
  return new AppError(
    'price_rise_too_soon',
    `Consumers use the tool, so a rise of its price begins at ${at} at the earliest.`,
    {
      errors: [{ pointer: '/effective_from', code: 'too_soon', message }],
    },
  );
}
