import { expect, it } from '@jest/globals';
import { linesOf, parseCursor, toCursor, toLine } from './spool-format.ts';

it('writes a line as SPOOL.md says, with the CRC-32 of zlib', () => {
  expect(toLine('123456789')).toBe('cbf43926 123456789\n'); // the check value of CRC-32
});

it('finds whole lines, marks damaged ones, and leaves the torn tail', () => {
  const good = toLine('{"a":"ü"}');
  const chunk = Buffer.from(`${good}${good.replace('ü', 'u')}x\n\n${good}${good.slice(0, -1)}`);
  const lines = [...linesOf(chunk)];
  expect(lines.map(({ json }) => json)).toEqual(['{"a":"ü"}', undefined, undefined, undefined, '{"a":"ü"}']);
  expect(lines.at(-1)?.end).toBe(chunk.length - Buffer.byteLength(good) + 1);
});

it('reads a cursor, and nothing from one that is torn', () => {
  const cursor = Buffer.from(toCursor(1234));
  expect(parseCursor(cursor)).toBe(1234);
  for (let length = 0; length < cursor.length; length += 1) {
    expect(parseCursor(cursor.subarray(0, length))).toBeUndefined();
  }
  expect(parseCursor(Buffer.from(toLine('{"offset":-1}')))).toBeUndefined();
  expect(parseCursor(Buffer.from(toLine('null')))).toBeUndefined();
});
