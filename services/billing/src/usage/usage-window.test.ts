import { describe, expect, it } from '@jest/globals';
import { usageWindow } from './usage-window.ts';

const at = (iso: string): number => Date.parse(iso);
const now = at('2026-11-21T12:34:56.789Z');

describe('the window of usage', () => {
  it.each([
    ['2026-11-21T12:34:56.789Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z'],
    ['2028-02-29T23:00:00.000Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ])('is the current month when nothing is asked for: at %s', (nowIso, from, to) => {
    expect(usageWindow({}, at(nowIso))).toEqual({ fromMs: at(from), toMs: at(to) });
  });

  it('keeps the bounds that are asked for', () => {
    const asked = { fromMs: at('2026-10-03T05:00:00Z'), toMs: at('2026-10-03T06:00:00Z') };
    expect(usageWindow(asked, now)).toEqual(asked);
  });

  it('may be empty', () => {
    const asked = { fromMs: at('2026-10-03T05:00:00Z'), toMs: at('2026-10-03T05:00:00Z') };
    expect(usageWindow(asked, now)).toEqual(asked);
  });

  it.each([
    ['/to', { fromMs: at('2026-11-03T05:00:00Z'), toMs: at('2026-11-03T04:00:00Z') }],
    ['/from', { fromMs: at('2026-12-01T01:00:00Z') }],
    ['/to', { toMs: at('2026-10-31T00:00:00Z') }],
  ])('refuses an end before its beginning, pointing at %s', (pointer, asked) => {
    expect(() => usageWindow(asked, now)).toThrow(
      expect.objectContaining({ code: 'invalid_request', errors: [expect.objectContaining({ pointer })] }),
    );
  });
});
