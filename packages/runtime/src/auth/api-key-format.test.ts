import { describe, expect, it } from '@jest/globals';
import { createApiKey, hashApiKey, isApiKey, looksLikeApiKey, partsOfApiKey } from './api-key-format.ts';

describe('an API key', () => {
  it('is tg_live_, 32 base62 characters and 6 of checksum', () => {
    for (let index = 0; index < 200; index++) {
      const key = createApiKey();
      expect(key).toMatch(/^tg_live_[0-9A-Za-z]{38}$/);
      expect(isApiKey(key)).toBe(true);
    }
  });

  it('keeps its format for ever, so that the keys of today work in later versions', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
    expect(createApiKey(() => bytes)).toBe('tg_live_07ELSZgnu18FMTahov29GNUbipw3AHOV4KQ92K');
  });

  it('draws each character evenly: a byte that would favour some characters is drawn again', () => {
    const draws = [Uint8Array.from({ length: 32 }, () => 255), Uint8Array.from({ length: 32 }, () => 61)];
    expect(createApiKey(() => draws.shift() ?? new Uint8Array(32)).slice(8, 40)).toBe('z'.repeat(32));
  });

  it('is refused when any character is changed, cut or added', () => {
    const key = createApiKey();
    for (let index = 0; index < key.length; index++) {
      const changed = key.slice(0, index) + (key[index] === 'a' ? 'b' : 'a') + key.slice(index + 1);
      expect(isApiKey(changed)).toBe(false);
    }
    for (const other of [
      key.slice(0, -1),
      `${key}a`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace('tg_live_', 'tg_test_'),
      '',
    ]) {
      expect(isApiKey(other)).toBe(false);
    }
  });

  it('differs from a JWT in its beginning', () => {
    expect(looksLikeApiKey(createApiKey())).toBe(true);
    expect(looksLikeApiKey('eyJhbGciOiJFUzI1NiJ9.e30.c2ln')).toBe(false);
  });

  it('shows its beginning and its end, and is stored as SHA-256', () => {
    const key = createApiKey();
    expect(partsOfApiKey(key)).toEqual({ prefix: key.slice(0, 12), lastFour: key.slice(-4) });
    expect(hashApiKey(key)).toHaveLength(32);
    expect(hashApiKey('abc').toString('hex')).toMatch(/^ba7816bf8f01cfea/);
  });
});
