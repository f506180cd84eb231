import { describe, expect, it } from '@jest/globals';
import { wrapText } from './wrap-text.ts';

const byLength = (text: string) => Array.from(text).length;

describe('lines of text', () => {
  it.each([
    ['short', ['short']],
    ['', ['']],
    ['one two three', ['one two', 'three']],
    ['abcdefghijklmnopqrst', ['abcdefgh', 'ijklmnop', 'qrst']],
    ['to abcdefghij end', ['to', 'abcdefgh', 'ij end']],
    ['每次调用费用每次调用费用', ['每次调用费用每次', '调用费用']],
  ])('%p', (text, lines) => {
    expect(wrapText(text, 8, byLength)).toEqual(lines);
  });

  it('never breaks inside a character of several code points', () => {
    const family = '👩‍👩‍👧';
    expect(wrapText(family.repeat(3), 8, byLength)).toEqual([family, family, family]);
    expect(wrapText(family, 2, byLength)).toEqual([family]); // wider than the line: better than nothing
  });
});
