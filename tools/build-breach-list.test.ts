import { describe, expect, it } from '@jest/globals';
import { isListed, parseBreachList } from '../services/auth/src/accounts/breach-list.ts';
import { buildBreachList } from './build-breach-list.ts';

describe('a list of breached passwords', () => {
  it.each([0, 1, 2, 3, 10, 100, 10_000])('knows each of its %d words of any length, in any case', async (count) => {
    const words = Array.from({ length: count }, (_, index) => `Word-${index}-${'x'.repeat(index % 20)}`);
    const long = words.filter((word) => word.length >= 8);
    const list = await parseBreachList(buildBreachList([...words, ...words], ['invented']));
    expect(list.header).toMatchObject({ sources: ['invented'], passwords: long.length });
    expect(long.filter((word) => !isListed(list, word) || !isListed(list, word.toUpperCase()))).toEqual([]);
  });

  it('leaves out what is too short for a password, and names none of its words', async () => {
    const file = buildBreachList(['short', 'horse-battery', 'horse-battery-staple-and-more'], []);
    expect((await parseBreachList(file)).header.passwords).toBe(2);
    expect(file.includes('horse')).toBe(false);
  });
});
