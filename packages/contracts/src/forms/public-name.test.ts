import { describe, expect, it } from '@jest/globals';
import { lookAlikeKey, publicNameSchema } from './public-name.ts';

const codesOf = (name: string) =>
  publicNameSchema
    .safeParse(name)
    .error?.issues.map((issue) => (issue.code === 'custom' ? String(issue.params?.['code']) : ''));

describe('a public name', () => {
  it.each(['Weather House', 'Zoë & Söhne (GmbH)', 'Данные', '天気ハウス', '날씨 家', '3M', 'हिन्दी', 'O’Neill, Inc.'])(
    'may be %s',
    (name) => {
      expect(publicNameSchema.parse(name)).toBe(name);
    },
  );

  it('has its accents composed, and no blanks around it', () => {
    expect(publicNameSchema.parse('  Zoe\u0308 ')).toBe('Zoë');
  });

  it.each([
    ['a', 'too_short'],
    ['a'.repeat(61), 'too_long'],
    ['two\nlines', 'invalid_characters'],
    ['two  blanks', 'invalid_characters'],
    ['no\u200Bwidth', 'invalid_characters'],
    ['turned\u202Eround', 'invalid_characters'],
    ['https://example.com', 'invalid_characters'],
    ['ada@example.com', 'invalid_characters'],
    ['<b>bold</b>', 'invalid_characters'],
    ['Z\u0300\u0301\u0302algo', 'invalid_characters'],
    ['Weаther', 'mixed_scripts'], // a Cyrillic а
    ['Tollgate Support', 'reserved'],
    ['To11 Gate', 'reserved'],
  ])('is not %j', (name, code) => {
    expect(codesOf(name)).toEqual([code]);
  });

  it.each([
    ['Weather House', 'WEATHER-HOUSE'],
    ['Illumina', 'lllumina'],
    ['Modern', 'Modem'],
    ['Zoë', 'Zoe'],
    ['Сосо', 'Coco'], // the first one in Cyrillic
    ['Νονα', 'Vova'], // the first one in Greek
  ])('%s is taken for %s', (one, other) => {
    expect(lookAlikeKey(one)).toBe(lookAlikeKey(other));
  });

  it('is not taken for another one', () => {
    expect(lookAlikeKey('Weather House')).not.toBe(lookAlikeKey('Weather Horse'));
  });
});
