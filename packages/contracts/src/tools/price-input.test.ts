import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fieldErrorsOf } from '../forms/field-errors.ts';
import { priceInputSchema } from './price-input.ts';
import { measuresOf, priceSchema } from './price.ts';

const perUnit = { type: 'per_unit', unit_price_usd: '0.0020' };
const charge = { metric: { type: 'calls' }, model: perUnit };
const price = (...charges: unknown[]) => ({ currency: 'usd', charges });
const withModel = (model: unknown) => price({ ...charge, model });
const tiers = (...upTo: (string | null)[]) => upTo.map((up_to) => ({ up_to, unit_price_usd: '1' }));
const perUnitAt = (unit_price_usd: unknown) => withModel({ type: 'per_unit', unit_price_usd });
const volume = (...upTo: (string | null)[]) => withModel({ type: 'volume', tiers: tiers(...upTo) });
const graduated = (...upTo: (string | null)[]) => withModel({ type: 'graduated', tiers: tiers(...upTo) });
const tierWithoutEnd = { type: 'volume', tiers: [{ unit_price_usd: '1' }] };
const emptyPackage = { type: 'package', size: '0.0', package_price_usd: '1' };

const faults = (value: unknown) => {
  const parsed = priceInputSchema.safeParse(value);
  return parsed.success ? 'ok' : fieldErrorsOf(parsed.error, value).map(({ pointer, code }) => `${pointer} ${code}`);
};

describe('a price in full', () => {
  it('is normalised: shortest decimals, defaults applied', () => {
    const tokens = { type: 'metadata_sum', key: 'tokens' };
    const smallest = '0.000000000001';
    const given = [
      { name: 'Calls', metric: { type: 'calls' }, model: perUnit, free_quantity: '1000.0' },
      { metric: { type: 'duration_ms' }, model: { type: 'package', size: '1000', package_price_usd: '0.10' } },
      {
        metric: tokens,
        model: {
          type: 'graduated',
          tiers: [
            { up_to: '1000.50', unit_price_usd: '0.10', flat_price_usd: '5.00' },
            { up_to: null, unit_price_usd: smallest },
          ],
        },
      },
    ];
    const first = { up_to: '1000.5', unit_price_usd: '0.1', flat_price_usd: '5' };
    const last = { up_to: null, unit_price_usd: smallest, flat_price_usd: '0' };
    const pack = { type: 'package', size: '1000', package_price_usd: '0.1' };
    const defaults = { name: null, free_quantity: '0' };
    expect(priceInputSchema.parse(price(...given))).toEqual({
      currency: 'usd',
      charges: [
        { ...given[0], model: { type: 'per_unit', unit_price_usd: '0.002' }, free_quantity: '1000' },
        { ...defaults, metric: { type: 'duration_ms' }, model: pack },
        { ...defaults, metric: tokens, model: { type: 'graduated', tiers: [first, last] } },
      ],
      bill_failed_calls: false,
    });
  });

  it('may be free, and may bill failed calls', () => {
    expect(priceInputSchema.parse({ currency: 'usd', charges: [], bill_failed_calls: true })).toEqual({
      currency: 'usd',
      charges: [],
      bill_failed_calls: true,
    });
  });

  it('takes null for what may be left out', () => {
    const nulls = { ...charge, name: null, free_quantity: null };
    expect(priceInputSchema.parse({ ...price(nulls), bill_failed_calls: null })).toEqual(
      priceInputSchema.parse(price(charge)),
    );
  });

  it.each<[string, unknown]>([
    ['eight charges', price(...Array.from({ length: 8 }, () => charge))],
    ['one tier', volume(null)],
    ['tiers in numeric order, not that of text', volume('9', '10', '10.5', null)],
    ['a hundred tiers', volume(...Array.from({ length: 99 }, (_, i) => `${i + 1}`), null)],
    ['a price of 0', perUnitAt('0')],
    ['the largest price', perUnitAt('999999999999.999999999999')],
  ])('may have %s', (_, value) => {
    expect(faults(value)).toBe('ok');
  });

  it.each<[string, unknown, string]>([
    ['no currency', { charges: [] }, '/currency required'],
    ['null for the currency', { currency: null, charges: [] }, '/currency invalid_value'],
    ['another currency', { currency: 'eur', charges: [] }, '/currency invalid_value'],
    ['no charges', { currency: 'usd' }, '/charges required'],
    ['nine charges', price(...Array.from({ length: 9 }, () => charge)), '/charges too_long'],
    ['a misspelt field', price({ ...charge, free_quantiy: '5' }), '/charges/0/free_quantiy unknown_field'],
    ['an unknown field', { ...price(), role: 'admin' }, '/role unknown_field'],
    ['a charge without metric', price({ model: perUnit }), '/charges/0/metric required'],
    ['an unknown metric', price({ ...charge, metric: { type: 'bytes' } }), '/charges/0/metric/type invalid_value'],
    ['a sum without a key', price({ ...charge, metric: { type: 'metadata_sum' } }), '/charges/0/metric/key required'],
    ['an empty name', price({ ...charge, name: '' }), '/charges/0/name too_short'],
    ['an unknown model', withModel({ type: 'auction' }), '/charges/0/model/type invalid_value'],
    ['a model without type', withModel({}), '/charges/0/model/type required'],
    ['a price as a number', perUnitAt(0.002), '/charges/0/model/unit_price_usd invalid_type'],
    ['no tiers', volume(), '/charges/0/model/tiers too_short'],
    ['an open end too early', volume(null, null), '/charges/0/model/tiers/0/up_to invalid_tiers'],
    ['no open end', graduated('1', '2'), '/charges/0/model/tiers/1/up_to invalid_tiers'],
    ['tiers that descend', graduated('10', '9', null), '/charges/0/model/tiers/1/up_to invalid_tiers'],
    ['equal tiers', graduated('1', '1.0', null), '/charges/0/model/tiers/1/up_to invalid_tiers'],
    ['a tier up to 0', graduated('0', null), '/charges/0/model/tiers/0/up_to invalid_format'],
    ['a tier without up_to', withModel(tierWithoutEnd), '/charges/0/model/tiers/0/up_to required'],
    ['a package of 0', withModel(emptyPackage), '/charges/0/model/size invalid_format'],
  ])('may not have %s', (_, value, fault) => {
    expect(faults(value)).toContain(fault);
  });

  it.each(['-1', '+1', '01', '.5', '1.', '1e3', '1000000000000', '0.0000000000001', ' 1', '1\n', '', 'NaN', '１'])(
    'may not have %j as a decimal',
    (text) => {
      expect(faults(perUnitAt(text))).toEqual(['/charges/0/model/unit_price_usd invalid_format']);
    },
  );

  it.each([[null], ['free'], [1], [[]], [true]])('is an object, not %j', (value) => {
    expect(faults(value)).toEqual([' invalid_type']);
  });

  it.each<[string, unknown, string, string]>([
    ['a price that is no object', '0.002', '', 'must be an object; the shortest price is { "per_call_usd": "0.002" }'],
    ['no price', undefined, '', 'is required; the shortest price is { "per_call_usd": "0.002" }'],
    ['no charges', { currency: 'usd' }, '/charges', 'is required; the shortest price is { "per_call_usd": "0.002" }'],
    [
      'an unknown metric',
      price({ ...charge, metric: { type: 'bytes' } }),
      '/charges/0/metric/type',
      'must be "calls" or "duration_ms" or "metadata_sum"',
    ],
    [
      'a model without type',
      withModel({}),
      '/charges/0/model/type',
      'is required: "per_unit" or "graduated" or "volume" or "package"',
    ],
    [
      'a price as a number',
      { per_call_usd: 0.002 },
      '/per_call_usd',
      'must be a decimal string from 0 to below 10¹² with at most 12 decimals, such as "0.002"',
    ],
  ])('shows how %s is mended', (_, value, pointer, message) => {
    const { error } = priceInputSchema.safeParse(value);
    expect(error && fieldErrorsOf(error, value)).toContainEqual(expect.objectContaining({ pointer, message }));
  });
});

describe('the shorthand', () => {
  it('is one charge a successful call', () => {
    expect(priceInputSchema.parse({ per_call_usd: '0.0020' })).toEqual(priceInputSchema.parse(price(charge)));
  });

  it.each<[string, unknown, string]>([
    ['with a currency', { per_call_usd: '1', currency: 'usd' }, '/currency unknown_field'],
    ['with charges', { per_call_usd: '1', charges: [] }, '/charges unknown_field'],
    ['with a flag', { per_call_usd: '1', bill_failed_calls: true }, '/bill_failed_calls unknown_field'],
    ['with a number', { per_call_usd: 0.002 }, '/per_call_usd invalid_type'],
    ['with null', { per_call_usd: null }, '/per_call_usd invalid_type'],
    ['with a negative price', { per_call_usd: '-1' }, '/per_call_usd invalid_format'],
  ])('stands alone: not %s', (_, value, fault) => {
    expect(faults(value)).toEqual([fault]);
  });
});

describe('accepted prices', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }))
    .map(([whole, rest]) => `${whole}.${String(rest).padStart(12, '0')}`);
  const metrics = fc.oneof(
    fc.constantFrom({ type: 'calls' }, { type: 'duration_ms' }),
    fc.record({ type: fc.constant('metadata_sum'), key: fc.constantFrom('a', 'b', 'tokens') }),
  );
  const models = fc.record({ type: fc.constant('per_unit'), unit_price_usd: decimal });
  const prices = fc.record({
    currency: fc.constant('usd'),
    charges: fc.array(fc.record({ metric: metrics, model: models }), { maxLength: 8 }),
  });

  it('come out as the contract shows them, and go in again unchanged', () => {
    fc.assert(
      fc.property(prices, (input) => {
        const accepted = priceInputSchema.parse(input);
        expect(priceSchema.parse(accepted)).toEqual(accepted);
        expect(priceInputSchema.parse(accepted)).toEqual(accepted);
      }),
    );
  });

  it('tell which metadata they sum, each key once, in order', () => {
    const sum = (key: string) => ({ metric: { type: 'metadata_sum', key }, model: perUnit });
    expect(measuresOf(priceInputSchema.parse(price(sum('tokens'), charge, sum('bytes'), sum('tokens'))))).toEqual([
      'bytes',
      'tokens',
    ]);
  });

  it('never throw, whatever comes', () => {
    const near = fc.record(
      { currency: fc.constantFrom('usd', 'eur'), charges: fc.array(fc.anything()), per_call_usd: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(near, fc.anything()),
        (value) => typeof priceInputSchema.safeParse(value).success === 'boolean',
      ),
    );
  });
});
