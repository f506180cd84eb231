import { expect, it } from '@jest/globals';
import { quantityOf } from './quantity-of.ts';

it('asks for what is typed, and for nothing while no number of calls is', () => {
  expect(
    quantityOf({ calls: '5000', duration: '80', 'sum:tokens': '12.5', 'sum:pages': '' }, ['tokens', 'pages']),
  ).toEqual({
    calls: 5_000,
    duration_ms: 80,
    measures: { tokens: '12.5' },
  });
  expect(quantityOf({ calls: '7' }, [])).toEqual({ calls: 7 });
  expect([quantityOf({}, []), quantityOf({ calls: '1e9' }, []), quantityOf({ calls: '-1' }, [])]).toEqual([
    null,
    null,
    null,
  ]);
});
