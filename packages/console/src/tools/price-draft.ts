import type { Schemas } from '@tollgate/sdk/edge';

export type ModelType = 'per_unit' | 'package' | 'graduated' | 'volume';
export type MetricType = 'calls' | 'duration_ms' | 'metadata_sum';

/** A step of a price, as it is typed. */
export interface TierDraft {
  /** Empty in the last step. */
  readonly upTo: string;
  readonly unit: string;
  readonly flat: string;
}

/** A charge of a price, as it is typed. The service says what is wrong with it. */
export interface ChargeDraft {
  readonly name: string;
  readonly metric: MetricType;
  /** The metadata key that is summed. */
  readonly key: string;
  /** So much of the metric does one call use, for the example. */
  readonly perCall: string;
  readonly model: ModelType;
  /** US dollars for a unit, or for a package. */
  readonly price: string;
  readonly size: string;
  readonly tiers: readonly TierDraft[];
  readonly free: string;
}

export interface PriceDraft {
  readonly charges: readonly ChargeDraft[];
  readonly billFailed: boolean;
}

export const emptyTier: TierDraft = { upTo: '', unit: '', flat: '' };
export const emptyCharge: ChargeDraft = {
  name: '',
  metric: 'calls',
  key: '',
  perCall: '1',
  model: 'per_unit',
  price: '',
  size: '1000',
  tiers: [{ ...emptyTier, upTo: '1000' }, emptyTier],
  free: '',
};

/** The price in the form of the API, with each amount as it was typed. */
export function toPriceInput({ charges, billFailed }: PriceDraft): object {
  return { currency: 'usd', charges: charges.map(toCharge), bill_failed_calls: billFailed };
}

function toCharge(draft: ChargeDraft): object {
  const { name, metric, key, free } = draft;
  return {
    ...(name !== '' && { name }),
    metric: metric === 'metadata_sum' ? { type: metric, key } : { type: metric },
    model: toModel(draft),
    ...(free !== '' && { free_quantity: free }),
  };
}

function toModel({ model, price, size, tiers }: ChargeDraft): object {
  if (model === 'per_unit') return { type: model, unit_price_usd: price };
  if (model === 'package') return { type: model, size, package_price_usd: price };
  const steps = tiers.map(({ upTo, unit, flat }) => ({
    up_to: upTo === '' ? null : upTo,
    unit_price_usd: unit,
    ...(flat !== '' && { flat_price_usd: flat }),
  }));
  return { type: model, tiers: steps };
}

/** The draft of a price that is in force, to begin with. */
export function draftOf({ charges, bill_failed_calls: billFailed }: Schemas['Price']): PriceDraft {
  return { charges: charges.map(draftOfCharge), billFailed };
}

function draftOfCharge({ name, metric, model, free_quantity: free }: Schemas['Price']['charges'][number]): ChargeDraft {
  const tiers = 'tiers' in model ? model.tiers.map(draftOfTier) : emptyCharge.tiers;
  return {
    ...emptyCharge,
    name: name ?? '',
    metric: metric.type,
    key: metric.type === 'metadata_sum' ? metric.key : '',
    model: model.type,
    ...(model.type === 'per_unit' && { price: model.unit_price_usd }),
    ...(model.type === 'package' && { price: model.package_price_usd, size: model.size }),
    tiers,
    free: free === '0' ? '' : free,
  };
}

interface Tier {
  readonly up_to: string | null;
  readonly unit_price_usd: string;
  readonly flat_price_usd: string;
}

function draftOfTier({ up_to: upTo, unit_price_usd: unit, flat_price_usd: flat }: Tier): TierDraft {
  return { upTo: upTo ?? '', unit, flat: flat === '0' ? '' : flat };
}

/** Months of a consumer: one who tries, one who uses it, and one who lives by it. The exponents of ten. */
const months = [1, 3, 5];

/** The quantities of the worked examples: so many calls, each of which uses what was typed. */
export function exampleQuantities({ charges }: PriceDraft): object[] {
  return months.map((zeros) => {
    const of = (metric: MetricType) => charges.filter((charge) => charge.metric === metric && charge.perCall !== '');
    const [duration] = of('duration_ms');
    const sums = of('metadata_sum').map(({ key, perCall }) => [key, timesTen(perCall, zeros)]);
    return {
      calls: 10 ** zeros,
      ...(duration && { duration_ms: Number(timesTen(duration.perCall, zeros)) }),
      ...(sums.length > 0 && { measures: Object.fromEntries(sums) as object }),
    };
  });
}

/** A decimal times a power of ten, by its characters: `12.5`, 3 is `12500`. What is no decimal stays, and is refused. */
export function timesTen(decimal: string, zeros: number): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === '') return decimal;
  const digits = fraction.padEnd(zeros, '0');
  const rest = digits.slice(zeros).replace(/0+$/, '');
  const text = `${whole}${digits.slice(0, zeros)}`.replace(/^0+(?=\d)/, '');
  return rest === '' ? text : `${text}.${rest}`;
}
