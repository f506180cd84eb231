import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { systemClock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createClockCheck, type ClockCheck } from '../../src/timing/clock-check.ts';

let server: TestDatabase;
let database: Database;
let offMs: number;
let sleptMs: number;
let lines: string[];
let check: ClockCheck;

beforeAll(async () => {
  server = await testDatabase();
  const log = createLogger({ name: 'test', level: 'silent' });
  database = createDatabase({ url: server.urlFor('billing_worker'), name: 'test', log });
});
beforeEach(() => {
  [offMs, sleptMs, lines] = [0, 0, []];
  const log = createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const machine = { now: () => systemClock.now() + offMs, monotonicMs: () => systemClock.monotonicMs() - sleptMs };
  check = createClockCheck({ database, skewMaxMs: 2_000, log, machine });
});
afterAll(async () => {
  await database.stop();
  await server.drop();
});

describe('F140 the clock of a machine', () => {
  it('is not trusted before it was compared', async () => {
    expect(check.isRight()).toBe(false);
    await check.measure();
    expect(check.isRight()).toBe(true);
  });

  it.each([40 * dayMs, 2_200, -2_200, -dayMs])(
    'is wrong the moment it is off by %s ms, and right again',
    async (ms) => {
      await check.measure();
      offMs = ms;
      expect(check.isRight()).toBe(false); // no look at the database lies between
      expect(() => check.requireRight()).toThrow(/clock/);
      expect(check.readiness?.()).toEqual({ clock: 'differs from the clock of the database' });
      await check.measure();
      expect(check.isRight()).toBe(false);
      offMs = 0;
      expect(check.isRight()).toBe(true);
      expect(check.readiness?.()).toEqual({ clock: 'ok' });
      expect(lines.map((line) => /is wrong|agrees/.exec(line)?.[0])).toEqual(['is wrong', 'agrees']);
    },
  );

  it.each([1_500, -1_500])('may be off by %s ms', async (ms) => {
    await check.measure();
    offMs = ms;
    expect(check.isRight()).toBe(true);
  });

  it('is compared anew after the machine slept, when monotonic time stood still', async () => {
    await check.measure();
    sleptMs = 60_000;
    expect(check.isRight()).toBe(false);
    await check.measure();
    expect(check.isRight()).toBe(true);
  });

  it('is compared anew by itself, at once, when it seems wrong: a paused machine wakes with both clocks moved', async () => {
    await check.start();
    sleptMs = 60_000;
    expect(check.isRight()).toBe(false);
    await eventually(() => check.isRight(), { withinMs: 500 }); // the next look of the round is 5 s away
    await check.stop();
  });
});
