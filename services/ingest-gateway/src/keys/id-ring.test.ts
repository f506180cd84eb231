import { describe, expect, it } from '@jest/globals';
import { createRandom } from '@tollgate/testkit/seeded-random';
import { createIdRing } from './id-ring.ts';

/** Ids of one group meet in the table: their second halves are the same. */
function idOf(number: number): string {
  const [own, shared] = [number, number % 3].map((part) => part.toString(16).padStart(8, '0'));
  return `${own}-0000-8000-8000-0000${shared}`;
}

/** Does what a ring does, as simply as possible. */
function createList(max: number) {
  const latest: string[] = [];
  return {
    has: (id: string) => latest.includes(id),
    add(id: string): boolean {
      if (latest.includes(id)) return false;
      latest.push(id);
      if (latest.length > max) latest.shift();
      return true;
    },
  };
}

describe('createIdRing', () => {
  it.each([1, 2, 3, 7, 8, 20])('keeps the latest %i ids, and each in its own place', (max) => {
    const random = createRandom(max);
    const [ring, list] = [createIdRing(max), createList(max)];
    const ids = Array.from({ length: max * 3 }, (_, number) => idOf(number));
    for (let step = 0; step < 3_000; step += 1) {
      const id = ids[random.integer(0, ids.length - 1)] ?? '';
      expect(ring.add(id) !== undefined).toBe(list.add(id));
      const places = ids.map((each) => ring.placeOf(each));
      expect(places.map((place) => place !== undefined)).toEqual(ids.map(list.has));
      const taken = places.filter((place) => place !== undefined);
      expect(new Set(taken).size).toBe(taken.length);
      expect(Math.max(...taken)).toBeLessThan(max);
    }
  });

  it('answers the place that an id was given, until the id is the oldest and another comes', () => {
    const ring = createIdRing(2);
    const [first, second, third] = [idOf(1), idOf(2), idOf(4)];
    const [at, next] = [ring.add(first), ring.add(second)];
    expect([ring.placeOf(first), ring.placeOf(second), ring.add(first)]).toEqual([at, next, undefined]);
    expect(ring.add(third)).toBe(at);
    expect([first, second, third].map(ring.placeOf)).toEqual([undefined, next, at]);
  });
});
