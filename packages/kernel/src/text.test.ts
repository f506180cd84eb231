import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codePointLength, isWellFormed } from './text.ts';

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

describe('codePointLength', () => {
  it('counts code points, not UTF-16 units or bytes', () => {
    expect(codePointLength('')).toBe(0);
    expect(codePointLength('é')).toBe(1); // two bytes
    expect(codePointLength('e\u0301')).toBe(2); // the same letter, decomposed: not normalised
    expect(codePointLength('😀'.repeat(256))).toBe(256);
    expect(codePointLength('\ud83d')).toBe(1); // a lone surrogate is one, as iteration has it
  });

  it('agrees with iterating, for any text', () => {
    fc.assert(fc.property(anyText, (text) => codePointLength(text) === Array.from(text).length));
  });
});

describe('isWellFormed', () => {
  it.each([
    ['plain', true],
    ['', true],
    ['😀', true],
    ['a\u0000b', false],
    ['\ud83d', false],
    ['\ude00\ud83d', false],
  ])('%j: %s', (text, expected) => {
    expect(isWellFormed(text)).toBe(expected);
  });

  it('lets through exactly what survives UTF-8 and has no NUL', () => {
    const survives = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text)) === text;
    fc.assert(
      fc.property(anyText, (text) => {
        const hasBom = text.startsWith('\ufeff'); // the decoder swallows it
        fc.pre(!hasBom);
        return isWellFormed(text) === (survives(text) && !text.includes('\0'));
      }),
    );
  });
});
