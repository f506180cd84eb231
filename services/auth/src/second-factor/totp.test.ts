import { describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { createTotpSecret, stepOfCode } from './totp.ts';

/** The secret of RFC 6238, appendix B. Its codes there have 8 digits, of which apps show the last 6. */
const secret = Secret.fromUTF8('12345678901234567890').base32;

describe('a code', () => {
  it.each([
    [59_000, '287082', 1],
    [1_111_111_109_000, '081804', 37_037_036],
    [1_234_567_890_000, '005924', 41_152_263],
    [20_000_000_000_000, '353130', 666_666_666],
  ])('at %d ms is %s, as in the RFC', (nowMs, code, step) => {
    expect(stepOfCode(secret, code, nowMs)).toBe(step);
  });

  it.each([
    [-60_000, undefined],
    [-30_000, 37_037_037],
    [0, 37_037_037],
    [30_000, 37_037_037],
    [60_000, undefined],
  ])('is good one step each way: with the clock %d ms off', (offMs, step) => {
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: 1_111_111_111_000 });
    expect(stepOfCode(secret, code, 1_111_111_111_000 + offMs)).toBe(step);
  });

  it('may have blanks, and is never good with fewer digits or other text', () => {
    expect(stepOfCode(secret, ' 287 082', 59_000)).toBe(1);
    for (const wrong of ['', '87082', '0287082', '287082x', '287083', '٢٨٧٠٨٢']) {
      expect(stepOfCode(secret, wrong, 59_000)).toBeUndefined();
    }
  });
});

describe('a new secret', () => {
  it('has 160 bits and a URI that apps read', () => {
    const { secret: base32, uri } = createTotpSecret('ada+x@example.com');
    expect(base32).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(uri);
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Tollgate:ada%2Bx%40example\.com\?/);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Tollgate',
      secret: base32,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(createTotpSecret('a').secret).not.toBe(createTotpSecret('a').secret);
  });
});
