import type { Schemas } from '@tollgate/sdk';

type AutoTopUp = Pick<Schemas['AutoTopUp'], 'below_usd' | 'amount_usd' | 'monthly_max_usd'>;
type Price = Schemas['Price'];
type Charge = Price['charges'][number];
type Tier = { readonly up_to: string | null; readonly unit_price_usd: string; readonly flat_price_usd: string };

/** A price as people say it: `0.002 USD per call`. */
export function priceWords({ charges, bill_failed_calls: billsFailed }: Price): string {
  if (charges.length === 0) return 'free';
  return charges.map(chargeWords).join(' + ') + (billsFailed ? ', failed calls too' : '');
}

function chargeWords({ metric, model, free_quantity: free }: Charge): string {
  const unit = metric.type === 'calls' ? 'call' : metric.type === 'duration_ms' ? 'ms' : `unit of ${metric.key}`;
  const words = modelWords(model, unit);
  return free === '0' ? words : `${words} after ${free} free`;
}

function modelWords(model: Charge['model'], unit: string): string {
  switch (model.type) {
    case 'per_unit':
      return `${model.unit_price_usd} USD per ${unit}`;
    case 'package':
      return `${model.package_price_usd} USD per package of ${model.size} (per ${unit})`;
    case 'graduated':
      return `${model.tiers.map((tier) => tierWords(tier, unit)).join(', then ')}`;
    case 'volume':
      return `${model.tiers.map((tier) => tierWords(tier, unit)).join(', or ')}, for all by the total`;
  }
}

function tierWords({ up_to: upTo, unit_price_usd: each, flat_price_usd: flat }: Tier, unit: string): string {
  const fixed = flat === '0' ? '' : ` and ${flat} USD`;
  return `${each} USD per ${unit}${fixed}${upTo === null ? '' : ` up to ${upTo}`}`;
}

const windows = { day: 'a day', month: 'a month', total: 'in total' } as const;

/** `5 USD a day`. */
export function capWords(cap: { readonly amount_usd: number; readonly window: keyof typeof windows } | null): string {
  return cap === null ? 'none' : `${cap.amount_usd} USD ${windows[cap.window]}`;
}

/** `50 USD below 10 USD, at most 200 USD a month`. */
export function autoTopUpWords({ below_usd: below, amount_usd: amount, monthly_max_usd: most }: AutoTopUp): string {
  return `${amount} USD below ${below} USD, at most ${most} USD a month`;
}

/** A call to be approved, with the cap of its pass as people say it. */
export function approvalWords({ cap, ...approval }: Schemas['Approval']): object {
  return { ...approval, cap: cap === null ? 'none' : `${cap.remaining_usd} USD left of ${capWords(cap)}` };
}

/** `about 41.2 USD in 2026-11 (35 to 50 USD); the budget ends on 2026-11-19`. */
export function forecastWords(forecast: Schemas['Forecast']): string {
  const { period, estimated_usd: usd, estimated_low_usd: low, estimated_high_usd: high } = forecast;
  const days = forecast.history_days;
  if (usd === null) return `none yet: it takes 14 whole days of calls, and there are ${days}`;
  const end = forecast.budget_ends_on === null ? '' : `; the budget ends on ${forecast.budget_ends_on}`;
  return `about ${usd} USD in ${period} (${low} to ${high} USD)${end}`;
}

/** A pass as its holder sees it, without the figures of its owner. */
export function ownPassWords({ tools, expires_at: end, ...pass }: Schemas['OwnPass']): object {
  return { ...pass, tools: tools === '*' ? 'all' : tools.join(' '), expires_at: end ?? 'never' };
}

/** A pass with its limits as people say them. */
export function passWords({ tools, cap, ...pass }: Schemas['Pass']): object {
  const { per_call_max_usd: most, remaining_usd: left, expires_at: end } = pass;
  return {
    ...pass,
    tools: tools === '*' ? 'all' : tools.join(' '),
    cap: capWords(cap),
    per_call_max_usd: most ?? 'none',
    remaining_usd: left ?? 'no cap',
    expires_at: end ?? 'never',
  };
}
