import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from './app-error.ts';
import { createMovableClock, isMoved, systemClock, timeHere, timeIfMoved, toIso } from './clock.ts';

const start = new Date('2026-01-31T23:00:00.000Z').getTime();

describe('a movable clock', () => {
  it('begins where it is told, and stands while frozen', async () => {
    const clock = createMovableClock(start);
    clock.freeze(true);
    const frozenAt = clock.now();
    expect(frozenAt - start).toBeLessThan(1_000);
    await sleep(5);
    expect(clock.now()).toBe(frozenAt);
  });

  it('stands exactly where it is told if it begins frozen', async () => {
    const clock = createMovableClock(start, { isFrozen: true });
    await sleep(5);
    expect(clock.now()).toBe(start);
  });

  it('ticks on from where it was put, in whole milliseconds', async () => {
    const clock = createMovableClock(start);
    clock.set(start + 3_600_000);
    await sleep(15);
    expect(clock.now()).toBeGreaterThanOrEqual(start + 3_600_000 + 10);
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  it('goes on from where it stood when it is thawed', () => {
    const clock = createMovableClock(start);
    clock.freeze(true);
    clock.advance(10_000);
    const frozenAt = clock.now();
    clock.freeze(false);
    expect(clock.now() - frozenAt).toBeLessThan(1_000);
  });

  it('never goes back', () => {
    const clock = createMovableClock(start);
    clock.advance(1_000);
    const before = clock.now();
    expect(() => clock.set(start)).toThrow(expect.objectContaining({ kind: 'conflict', code: 'clock_moved_back' }));
    expect(() => clock.set(start)).toThrow(AppError);
    expect(() => clock.advance(-1_000)).toThrow(AppError);
    expect(() => clock.set(Number.NaN)).toThrow(RangeError);
    expect(clock.now()).toBeGreaterThanOrEqual(before);
  });

  it('never moves its monotonic half', () => {
    const clock = createMovableClock(start);
    const before = clock.monotonicMs();
    clock.advance(86_400_000);
    expect(clock.monotonicMs() - before).toBeLessThan(1_000);
  });
});

describe('toIso', () => {
  const anyTime = fc.oneof(
    fc.integer({ min: start, max: start + 200_000 }), // seconds that are written again and again
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  );

  it('writes every time as Date does, whatever it wrote before', () => {
    fc.assert(
      fc.property(fc.array(anyTime, { size: 'max', maxLength: 300 }), (times) => {
        expect(times.map(toIso)).toEqual(times.map((ms) => new Date(ms).toISOString()));
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('refuses %s, which is no time', (ms) => {
    expect(() => toIso(ms)).toThrow(RangeError);
  });
});

it('tells a moved clock from the machines’ small differences, and says the time in errors', () => {
  const nowMs = systemClock.now();
  expect([-90_000, -30_000, 0, 30_000, 90_000].map((ms) => isMoved(nowMs + ms))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(timeHere(start)).toBe('it is 2026-01-31T23:00:00.000Z here, since the sandbox clock was moved');
  expect(timeHere(nowMs)).toBe(`it is ${toIso(nowMs)} here`);
  expect(timeIfMoved(start)).toBe(' It is 2026-01-31T23:00:00.000Z here, since the sandbox clock was moved.');
  expect(timeIfMoved(nowMs)).toBe('');
});
