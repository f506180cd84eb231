import { z } from 'zod';

const dollarsMax = 1_000_000_000_000;
const pattern = /^(\d+)(?:\.(\d{1,2}))?$/;
const microsPattern = /^(\d+)(?:\.(\d{1,6}))?$/;
const fineDollarsMax = 1_000_000;

/**
 * An amount of dollars in a request: a JSON number with at most two decimals, above 0 and below 10¹². Its value is
 * whole cents, read from the shortest decimal spelling without arithmetic on floats.
 */
export const usdAmountSchema = z
  .transform((value: unknown, context) => {
    const match = typeof value === 'number' ? pattern.exec(String(value)) : null;
    const cents = match ? BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(2, '0')}`) : 0n;
    if (cents > 0n && cents < BigInt(dollarsMax) * 100n) return cents;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'must be a number of dollars above 0 with at most two decimals',
      params: { code: 'invalid_amount' },
    });
    return z.NEVER;
  })
  .meta({
    type: 'number',
    exclusiveMinimum: 0,
    exclusiveMaximum: dollarsMax,
    description: 'US dollars, at most two decimals.',
    examples: [12.5],
  });

/**
 * An amount of dollars for a single call: a JSON number with at most six decimals, above 0 and below 10⁶. Its value is whole
 * micro-dollars.
 */
export const usdMicrosSchema = z
  .transform((value: unknown, context) => {
    const match = typeof value === 'number' ? microsPattern.exec(String(value)) : null;
    const micros = match ? BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(6, '0')}`) : 0n;
    if (micros > 0n && micros < BigInt(fineDollarsMax) * 1_000_000n) return micros;
    context.issues.push({
      code: 'custom',
      input: value,
      message: `must be a number of dollars above 0 and below ${fineDollarsMax} with at most six decimals`,
      params: { code: 'invalid_amount' },
    });
    return z.NEVER;
  })
  .meta({
    type: 'number',
    exclusiveMinimum: 0,
    exclusiveMaximum: fineDollarsMax,
    description: 'US dollars, at most six decimals.',
    examples: [0.05],
  });
