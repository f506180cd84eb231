import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoTimeSchema, parseTimestamp, timestampSchema } from './timestamp.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00.5Z', '2026-11-21T12:00:00.500Z'],
    ['2026-11-21T12:59:59.999999999Z', '2026-11-21T12:59:59.999Z'], // cut: rounded, it would be the next hour
    ['2026-11-21T12:00:00.0009Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T12:00:00+05:45', '2026-11-21T06:15:00.000Z'],
    ['2026-11-21T12:00:00-23:59', '2026-11-22T11:59:00.000Z'],
    ['2026-11-21T12:00:00+0000', '2026-11-21T12:00:00.000Z'], // as Python's %z writes it
    ['2026-11-21T12:00:00-0330', '2026-11-21T15:30:00.000Z'],
    ['2026-11-21T12:00:00-00:00', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21t12:00:00z', '2026-11-21T12:00:00.000Z'], // RFC 3339 allows lower case
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'], // the year is 99, and 1999 would be wrong
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(parseTimestamp(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  it.each([
    ['no offset', '2026-11-21T12:00:00'],
    ['an offset of hours alone', '2026-11-21T12:00:00+01'],
    ['a date alone', '2026-11-21'],
    ['a blank for the T', '2026-11-21 12:00:00Z'],
    ['29 February in a common year', '2026-02-29T00:00:00Z'],
    ['29 February 2100', '2100-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['day 0', '2026-04-00T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['hour 24', '2026-11-21T24:00:00Z'],
    ['minute 60', '2026-11-21T12:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['offset 24 hours', '2026-11-21T12:00:00+24:00'],
    ['offset of hours', '2026-11-21T12:00:00+01'],
    ['comma fraction', '2026-11-21T12:00:00,5Z'],
    ['empty fraction', '2026-11-21T12:00:00.Z'],
    ['year 0', '0000-12-31T00:00:00Z'],
    ['before year 1 in UTC', '0001-01-01T00:00:00+00:01'],
    ['after year 9999 in UTC', '9999-12-31T23:59:59-00:01'],
    ['five-digit year', '+010000-01-01T00:00:00Z'],
    ['blanks around it', ' 2026-11-21T12:00:00Z'],
    ['a line break after it', '2026-11-21T12:00:00Z\n'],
    ['other digits', '２０２６-11-21T12:00:00Z'],
    ['nothing', ''],
    ['seconds since the epoch', '1795262400'],
  ])('refuses %s', (_, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('reads back every time that the service writes', () => {
    const times = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(times, (time) => parseTimestamp(time.toISOString()) === time.getTime()));
  });

  it('reads a text in the form that the service writes as a text with an offset of nothing', () => {
    const number = (digits: number) => fc.stringMatching(new RegExp(`^[0-9]{${digits}}$`));
    const mark = fc.constantFrom('-', ':', 'T', '.', 'x');
    const likely = fc.tuple(number(4), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 33 }), number(2));
    const texts = fc.oneof(
      likely.map(([year, month, day, second]) => `${year}-${pad(month)}-${pad(day)}T12:34:${second}.567`),
      fc.tuple(number(4), mark, number(2), number(2)).map(([a, b, c, d]) => `${a}${b}02-${c}T${d}:00:00.000`),
      fc.tuple(number(2), number(2), number(2), number(3)).map(([a, b, c, d]) => `2024-12-31T${a}:${b}:${c}.${d}`),
      fc.tuple(fc.nat(22), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })).map(([at, other]) => {
        const text = '2026-11-21T12:00:00.000';
        return text.slice(0, at) + other + text.slice(at + 1);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => expect(parseTimestamp(`${text}Z`)).toBe(parseTimestamp(`${text}+00:00`))),
      { numRuns: 2_000 },
    );
  });

  it('knows every day of four centuries and of the first and last years', () => {
    const wrong: string[] = [];
    for (const [from, to] of [
      ['0001-01-01', '0005-12-31'],
      ['1899-01-01', '2301-01-01'],
      ['9996-01-01', '9999-12-31'],
    ] as const)
      for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000) {
        const text = new Date(ms).toISOString();
        if (parseTimestamp(text) !== ms) wrong.push(text);
      }
    expect(wrong).toEqual([]);
  });

  it('moves by its offset', () => {
    const times = fc.date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.nat(23), fc.nat(59), fc.constantFrom('+', '-'), (time, hours, minutes, sign) => {
        const offset = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const moved = (hours * 60 + minutes) * 60_000 * (sign === '+' ? -1 : 1);
        expect(parseTimestamp(time.toISOString().replace('Z', offset))).toBe(time.getTime() + moved);
      }),
    );
  });

  it('never throws, and takes long nonsense in its stride', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => parseTimestamp(text) === undefined || text.length >= 20),
    );
    const long = `2026-11-21T12:00:00.${'9'.repeat(1_000_000)}`;
    expect(parseTimestamp(long)).toBeUndefined();
    expect(parseTimestamp(`${long}Z`)).toBe(new Date('2026-11-21T12:00:00.999Z').getTime());
  });
});

describe('the schemas of times', () => {
  it('give milliseconds inside and take ISO outside', () => {
    expect(timestampSchema.parse('1970-01-01T00:00:01Z')).toBe(1000);
    expect(timestampSchema.safeParse(1000).success).toBe(false);
    expect(isoTimeSchema.safeParse('2026-11-21T12:00:00Z').success).toBe(false);
  });
});

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
