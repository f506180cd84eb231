import { describe, expect, it } from '@jest/globals';
import { afterDecline } from './after-decline.ts';

describe('F144 after a decline', () => {
  it.each([
    ['authentication_required', 'authentication'],
    ['expired_card', 'payment_method'],
    ['lost_card', 'payment_method'],
    ['stolen_card', 'payment_method'],
    ['declined', 'try_later'],
    ['insufficient_funds', 'try_later'],
    ['processing_error', 'try_later'],
    [undefined, 'try_later'],
  ])('with the code %p comes %p', (code, next) => {
    expect(afterDecline(code)).toBe(next);
  });
});
