import { expect, it } from '@jest/globals';
import type { Schemas } from '@tollgate/sdk/edge';
import { placeVersions } from './version-state.ts';

const version = (from: string | null) => ({ id: String(from), effective_from: from }) as Schemas['PriceVersion'];

it('orders the versions of a price, and says by the time of the service which is in force', () => {
  const [first, second, third] = [
    version(null),
    version('2026-11-21T12:00:00.000Z'),
    version('2026-12-01T00:00:00.000Z'),
  ];
  const at = (now: string) =>
    placeVersions([second, first, third], now).map(({ version: { id }, state }) => [id, state]);
  expect(at('2026-11-21T11:59:59.999Z')).toEqual([
    [third.id, 'to come'],
    [second.id, 'to come'],
    [first.id, 'in force'],
  ]);
  expect(at('2026-11-21T12:00:00.000Z')).toEqual([
    [third.id, 'to come'],
    [second.id, 'in force'],
    [first.id, 'past'],
  ]);
});
