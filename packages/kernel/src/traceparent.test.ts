import { expect, it } from '@jest/globals';
import { parseTraceparent, toTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const text = `00-${traceId}-${spanId}-01`;

it('reads a traceparent, and writes it as it was', () => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, traceFlags: 1 });
  expect(toTraceparent({ traceId, spanId, traceFlags: 1 })).toBe(text);
  expect(toTraceparent({ traceId, spanId, traceFlags: 0 })).toBe(`00-${traceId}-${spanId}-00`);
});

it('reads a later version as far as it knows it', () => {
  expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-comes-later`)).toEqual({ traceId, spanId, traceFlags: 1 });
});

it.each([
  '',
  'x',
  text.toUpperCase(),
  `${text}-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}`,
  `cc-${traceId}-${spanId}-01-${'x'.repeat(200)}`,
])('takes %j for none', (none) => {
  expect(parseTraceparent(none)).toBeUndefined();
});
