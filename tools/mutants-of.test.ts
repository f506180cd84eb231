import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from './mutants-of.ts';

const changesOf = (source: string) => mutantsOf(source).map(({ was, becomes }) => `${was} → ${becomes}`);

describe('the mutants of a file', () => {
  it.each([
    ['if (a < b) go();', ['a < b → (true)', 'a < b → (false)', 'a < b → (a <= b)', 'go(); → ;']],
    ['const x = a ?? b;', ['a ?? b → (b)']],
    ['const x = !a && b;', ['!a && b → (!a || b)', '!a → a']],
    ['const x = 1n;', ['1n → (1n + 1n)']],
    ['throw error;', ['throw error; → ;']],
    ['const x = list.filter(isOpen);', ['list.filter(isOpen) → list']],
    ['const x = Math.min(a, b);', ['min → max']],
    ['type X = 1 | true; const x: 2 = y as 2;', []],
  ])('%s', (source, changes) => {
    expect(changesOf(source)).toEqual(changes);
  });

  it('are whole texts, each with one change, in any alphabet', () => {
    const [first] = mutantsOf('// “größer”\nexport const isMore = a > b;\n');
    expect(first).toMatchObject({ line: 2, text: '// “größer”\nexport const isMore = (a >= b);\n' });
  });
});
