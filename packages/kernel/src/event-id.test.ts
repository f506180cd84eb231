import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEventId, keyedEventId } from './event-id.ts';
import { isUuid, uuidV7, uuidV8 } from './uuid.ts';

const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const account = '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b';

describe('event ids without a key', () => {
  it('are UUIDv7: version, variant, and the time in front', () => {
    fc.assert(
      fc.property(times, (ms) => {
        const id = createEventId(ms);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(ms);
      }),
    );
  });

  it('sort by time', () => {
    fc.assert(
      fc.property(times, times, (left, right) => {
        fc.pre(left < right);
        return uuidV7(left) < uuidV7(right);
      }),
    );
  });

  it('never repeat within a millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => uuidV7(1))).size).toBe(10_000);
  });
});

const secret = 'A'.repeat(43);

describe('event ids with a key', () => {
  it('are UUIDv8, the same each time', () => {
    const id = keyedEventId(secret, { accountId: account, key: 'order-1' });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keyedEventId(secret, { accountId: account, key: 'order-1' })).toBe(id);
  });

  it('stay what they are for ever: a changed hash would count every repeat again', () => {
    expect(keyedEventId(secret, { accountId: account, key: 'order-1' })).toBe('ea19ec87-b97e-84ea-815f-0706f08372fa');
  });

  it('differ between secrets, accounts and keys', () => {
    const ids = fc.uniqueArray(fc.tuple(fc.uuid(), fc.uuid(), fc.string({ unit: 'binary' })), {
      selector: (parts) => parts.join('\0'),
    });
    const idOf = ([of, accountId, key]: [string, string, string]) => keyedEventId(of, { accountId, key });
    fc.assert(fc.property(ids, (parts) => new Set(parts.map(idOf)).size === parts.length));
  });

  it('refuse a NUL that could move the border between two parts', () => {
    expect(() => uuidV8('a\0b', 'c')).toThrow('NUL');
    expect(uuidV8('a', 'b\0c')).not.toBe(uuidV8('a', 'bc'));
  });
});

describe('isUuid', () => {
  it.each([
    [account, true],
    [account.toUpperCase(), false],
    [`${account}\n`, false],
    [`{${account}}`, false],
    [account.replaceAll('-', ''), false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
