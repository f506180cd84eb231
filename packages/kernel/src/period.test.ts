import { hourMs } from './durations.ts';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, hourOf, periodBounds, periodOf } from './period.ts';

const ms = (iso: string) => new Date(iso).getTime();
const moments = fc.integer({ min: ms('0001-01-01T00:00:00Z'), max: ms('9998-12-31T23:59:59.999Z') });

describe('billing periods (F47)', () => {
  it.each([
    ['2026-01', '2026-01-01', '2026-02-01', 31],
    ['2026-02', '2026-02-01', '2026-03-01', 28],
    ['2024-02', '2024-02-01', '2024-03-01', 29],
    ['2000-02', '2000-02-01', '2000-03-01', 29],
    ['2100-02', '2100-02-01', '2100-03-01', 28],
    ['2026-04', '2026-04-01', '2026-05-01', 30],
    ['2026-12', '2026-12-01', '2027-01-01', 31],
  ])('%s is [%s, %s): %d days', (period, start, end, days) => {
    expect(periodBounds(period)).toEqual({ start: ms(`${start}T00:00:00Z`), end: ms(`${end}T00:00:00Z`) });
    expect((periodBounds(period).end - periodBounds(period).start) / (24 * hourMs)).toBe(days);
  });

  it.each([
    ['2026-11-30T23:59:59.999Z', '2026-11'],
    ['2026-12-01T00:00:00.000Z', '2026-12'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01'],
    ['2024-02-29T23:59:59.999Z', '2024-02'],
    ['2024-03-01T00:00:00.000Z', '2024-03'],
    ['2026-12-01T00:30:00.000+01:00', '2026-11'],
  ])('%s belongs to %s', (moment, period) => {
    expect(periodOf(ms(moment))).toBe(period);
  });

  it('hold every moment in exactly one, without gap or overlap', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const { start, end } = periodBounds(periodOf(moment));
        expect(moment).toBeGreaterThanOrEqual(start);
        expect(moment).toBeLessThan(end);
        expect(periodBounds(periodOf(end)).start).toBe(end);
        expect(periodBounds(periodOf(start - 1)).end).toBe(start);
      }),
    );
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', '', '2026/01', '2026-01\n'])('refuse %j', (text) => {
    expect(() => periodBounds(text)).toThrow(RangeError);
  });
});

describe('hours and days', () => {
  it('start at or before the moment, less than one of them before', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(moment - hourOf(moment)).toBeGreaterThanOrEqual(0);
        expect(moment - hourOf(moment)).toBeLessThan(hourMs);
        expect(moment - dayOf(moment)).toBeLessThan(24 * hourMs);
        expect(new Date(dayOf(moment)).toISOString()).toMatch(/T00:00:00\.000Z$/);
      }),
    );
  });

  it('are right before 1970 too', () => {
    expect(hourOf(-1)).toBe(-hourMs);
    expect(dayOf(-1)).toBe(-24 * hourMs);
  });
});

/** In a process of its own: inside Jest, `process.env` is a copy that Node's clock does not read. */
const countHours = `
  import { dayOf, hourOf, periodOf } from ${JSON.stringify(new URL('period.ts', import.meta.url).href)};
  const start = new Date(process.argv[1] + 'T00:00:00Z').getTime();
  const hours = new Set();
  for (let minute = 0; minute < 24 * 60; minute++) hours.add(hourOf(start + minute * 60_000));
  const days = new Set([...hours].map(dayOf));
  const periods = new Set([...hours].map(periodOf));
  const offset = new Date(start).getTimezoneOffset();
  console.log(JSON.stringify({ offset, hours: hours.size, days: [...days], periods: [...periods] }));
`;

describe('the zone of the process (F48)', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29'], // 23 hours there
    ['Europe/Berlin', '2026-10-25'], // 25 hours there
    ['America/Sao_Paulo', '2018-11-04'], // its midnight does not exist there
    ['America/Sao_Paulo', '2018-02-18'],
    ['Pacific/Apia', '2011-12-30'], // the whole day does not exist there
    ['Asia/Kathmandu', '2026-01-01'], // 05:45
  ])('in %s, %s has 24 UTC hours, each once', (zone, day) => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', countHours, day], {
      env: { TZ: zone },
    });
    const counted = JSON.parse(output.toString()) as { offset: number };
    expect(counted).toMatchObject({ hours: 24, days: [ms(`${day}T00:00:00Z`)], periods: [day.slice(0, 7)] });
    expect(counted.offset).not.toBe(0); // the zone was in force
  });
});
