import { describe, expect, it } from '@jest/globals';
import { micros } from './money.ts';
import { toUsdNumber } from './usd-number.ts';
import { toCsv } from './to-csv.ts';

describe('a table in CSV', () => {
  it('has a header line, the columns in their order, and nothing else', () => {
    expect(toCsv(['b', 'a'], [{ a: 1, b: 'x', c: 'left out' }, { a: null }])).toBe('b,a\r\nx,1\r\n,\r\n');
  });

  it('has only the header line without rows', () => {
    expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n');
  });

  it.each([
    ['quotes what would end a field', 'a,"b"\r\nc', '"a,""b""\r\nc"'],
    ['takes the meaning from a formula', '=1+1', "'=1+1"],
    ['takes it also behind a line break', '\n=1+1', `"'\n=1+1"`],
    ['takes it from wide letters, which spreadsheets read as the narrow ones', '＝1+1', "'＝1+1"],
    ['takes it from what only begins as a number', '-1+cmd()', "'-1+cmd()"],
    ['keeps a number below zero a number', -0.01, '-0.01'],
    ['keeps a decimal below zero a number', '-0.01', '-0.01'],
    ['keeps every digit of an amount', toUsdNumber(micros(123_456_789_012_345_678n)), '123456789012.345678'],
  ])('%s', (_what, value, field) => {
    expect(toCsv(['a'], [{ a: value }])).toBe(`a\r\n${field}\r\n`);
  });
});
