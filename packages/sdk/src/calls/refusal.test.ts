import { expect, it } from '@jest/globals';
import { TollgateError } from '../client/error.ts';
import { readRefusal } from './refusal.ts';

function errorOf(status: number, code: string): TollgateError {
  return new TollgateError({ status, code: code as TollgateError['code'], detail: '' }); // any code of the service
}

it.each(['pass_refused', 'payment_required', 'tool_not_allowed', 'account_suspended'])(
  'has a sentence of its own for %s',
  (code) => {
    const refusal = readRefusal(errorOf(403, code), 'weather');
    expect(refusal?.code).toBe(code);
    expect(refusal?.detail).not.toContain(code);
  },
);

it.each([
  ['a 503', errorOf(503, 'unavailable')],
  ['a rate limit', errorOf(429, 'rate_limit_exceeded')],
  ['an error of the network', new TypeError('fetch failed')],
  ['nothing', undefined],
])('does not take %s for a refusal', (_title, error) => {
  expect(readRefusal(error, 'weather')).toBeUndefined();
});
