import { describe, expect, it } from '@jest/globals';
import { readPaymentSearch } from './payment-search.ts';

describe('the search of the payment page', () => {
  it('leads back to the page of a consent', () => {
    const back = '/oauth/interaction/Ab_1-c';
    expect(readPaymentSearch({ back })).toEqual({ back });
  });

  it.each([
    'https://example.com/oauth/interaction/a',
    '//example.com/oauth/interaction/a',
    '/oauth/interaction/../../app',
    '/oauth/interaction/a?b=c',
    'javascript:alert(1)',
    '/app',
    7,
    undefined,
  ])('leads nowhere else, such as to %j', (back) => {
    expect(readPaymentSearch({ back })).toEqual({});
  });
});
