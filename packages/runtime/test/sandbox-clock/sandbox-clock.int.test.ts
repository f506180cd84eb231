import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock, systemClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createProcessClock } from '../../src/sandbox-clock/create-process-clock.ts';
import { createSandboxClock, type SandboxClockOptions } from '../../src/sandbox-clock/create-sandbox-clock.ts';
import type { SandboxClock } from '../../src/sandbox-clock/sandbox-clock.ts';

const startMs = Date.parse('2023-11-16T18:15:00.000Z');
const machineMs = Date.parse('2026-11-21T12:00:00.000Z');
const monthMs = 30 * dayMs;

let database: TestDatabase;
let owner: Database;
let machine: MovableClock;
let lines: string[];
let running: SandboxClock[];

const quiet = createLogger({ name: 'test', level: 'silent' });
beforeAll(async () => {
  database = await testDatabase();
  owner = createDatabase({ url: database.ownerUrl, name: 'owner', log: quiet });
});
beforeEach(async () => {
  await owner.query('delete from sandbox.clock');
  await owner.query('delete from auth.signing_key');
  machine = createMovableClock(machineMs, { isFrozen: true });
  lines = [];
  running = [];
});
afterEach(async () => {
  for (const clock of running) await clock.stop();
});
afterAll(async () => {
  await owner.stop();
  await database.drop();
});

async function open(options: Partial<SandboxClockOptions> = {}, role = 'billing_worker'): Promise<SandboxClock> {
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ name: 'test', level: 'warn', destination });
  const clock = createSandboxClock({ url: database.urlFor(role), part: 'alone', machine, log, ...options });
  running.push(clock);
  await clock.start();
  return clock;
}

/** As if the clock of the database's machine stepped. */
const stepMachineOfDatabase = (seconds: number) =>
  owner.query("update sandbox.clock set set_at = set_at - $1 * interval '1 s'", [seconds]);

describe('the sandbox clock, never moved', () => {
  it("is the machine's", async () => {
    const clock = await open();
    expect([clock.now(), clock.isFrozen()]).toEqual([machineMs, false]);
    machine.advance(5);
    expect(clock.now()).toBe(machineMs + 5);
  });

  it('writes nothing', async () => {
    await (await open()).stop();
    expect(await owner.query('select from sandbox.clock')).toEqual([]);
  });
});

describe('where it begins', () => {
  it('is SANDBOX_CLOCK_START in an empty database, and it ticks on from there', async () => {
    const clock = await open({ startMs });
    expect(clock.now() - startMs).toBeLessThan(60_000);
    await eventually(() => clock.now() > startMs + 20, { withinMs: 1_000 });
  });

  it('is set once: the next start goes on', async () => {
    const first = await open({ startMs });
    await first.move({ to: { advanceMs: monthMs }, isFrozen: true });
    const stoodAt = first.now();
    await first.stop();
    expect((await open({ startMs })).now()).toBe(stoodAt);
    expect(lines).toEqual([]);
  });

  it("is the machine's time, and a warning, once anything bears a time", async () => {
    await owner.query(
      `insert into auth.signing_key (key_id, public_jwk, created_at, retired_at) values ('k', '{}', $1, $1)`,
      [toIso(machineMs)],
    );
    expect((await open({ startMs })).now()).toBe(machineMs);
    expect(lines.join()).toContain('the database is not empty');
  });

  it.each(['auth_worker', 'ingest_gateway_worker', 'aggregator_worker'])(
    'may be set by whichever service starts first, as %s',
    async (role) => {
      const follower = await open({ startMs, part: 'follower' }, role);
      expect(follower.now() - startMs).toBeLessThan(60_000);
    },
  );
});

describe('a move', () => {
  it('goes to a time, or ahead by some, and ticks on unless frozen', async () => {
    const clock = await open();
    await clock.move({ to: { nowMs: machineMs + monthMs }, isFrozen: true });
    expect([clock.now(), clock.isFrozen()]).toEqual([machineMs + monthMs, true]);
    await clock.move({ to: { advanceMs: 1_000 }, isFrozen: true });
    expect(clock.now()).toBe(machineMs + monthMs + 1_000);
    await clock.move({ isFrozen: false });
    await eventually(() => clock.now() > machineMs + monthMs + 1_020, { withinMs: 1_000 });
  });

  it('never goes back', async () => {
    const clock = await open();
    await clock.move({ to: { nowMs: machineMs + monthMs }, isFrozen: true });
    const back = clock.move({ to: { nowMs: machineMs + monthMs - 1 }, isFrozen: true });
    await expect(back).rejects.toMatchObject({ kind: 'conflict', code: 'clock_moved_back' });
    expect(clock.now()).toBe(machineMs + monthMs);
  });

  it('never moves monotonic time', async () => {
    const clock = await open();
    const before = clock.monotonicMs();
    await clock.move({ to: { advanceMs: monthMs }, isFrozen: false });
    expect(clock.monotonicMs() - before).toBeLessThan(60_000);
  });

  it('is durable when it resolves, and survives a kill', async () => {
    const clock = await open();
    await clock.move({ to: { advanceMs: monthMs }, isFrozen: true });
    const next = await open(); // the first was never stopped
    expect([next.now(), next.isFrozen()]).toEqual([machineMs + monthMs, true]);
  });

  it('happens one after the other', async () => {
    const clock = await open();
    await clock.move({ isFrozen: true });
    await Promise.all(Array.from({ length: 5 }, () => clock.move({ to: { advanceMs: 1_000 }, isFrozen: true })));
    expect(clock.now()).toBe(machineMs + 5_000);
  });

  it('is not for the role of a follower, which sees nothing else of the sandbox either', async () => {
    const follower = await open({ part: 'follower' }, 'aggregator_worker');
    await expect(follower.move({ isFrozen: true })).rejects.toThrow('permission denied');
    for (const role of ['auth_worker', 'ingest_gateway_worker', 'aggregator_worker']) {
      const service = createDatabase({ url: database.urlFor(role), name: 'follower', log: quiet });
      await expect(service.query('select from sandbox.account')).rejects.toThrow('permission denied');
      await service.stop();
    }
  });
});

describe('several processes', () => {
  it('follow within three seconds, and the move resolves when they have', async () => {
    const mover = await open({ part: 'mover' });
    const roles = ['auth_worker', 'ingest_gateway_worker', 'aggregator_worker'];
    const followers = await Promise.all(roles.map((role) => open({ part: 'follower' }, role)));
    await mover.move({ to: { nowMs: machineMs + monthMs }, isFrozen: true });
    expect(mover.now()).toBe(machineMs + monthMs);
    await eventually(() => followers.every((clock) => clock.now() === machineMs + monthMs), { withinMs: 200 });
    expect(followers.map((clock) => clock.isFrozen())).toEqual([true, true, true]);
  });

  it('tick a little apart, and stand at the same time when they are frozen', async () => {
    const mover = await open({ part: 'mover' });
    const leadMs = 3_000; // the clock freezes no earlier than this: the lead, and a second
    const ahead = createMovableClock(machineMs + leadMs, { isFrozen: true });
    const follower = await open({ part: 'follower', machine: ahead }, 'aggregator_worker');
    await mover.move({ isFrozen: true });
    await eventually(() => follower.isFrozen(), { withinMs: 1_500 });
    expect(follower.now()).toBe(mover.now());
  });

  it('move the clock one at a time: of two at once, the later goes on from the other or is refused', async () => {
    const movers = await Promise.all([open({ part: 'mover' }), open({ part: 'mover' })]);
    const moves = movers.map((clock) => clock.move({ to: { advanceMs: monthMs }, isFrozen: true }));
    const settled = await Promise.allSettled(moves);
    const refusals = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'conflict', code: 'clock_moved' });
    const moved = machineMs + (settled.length - refusals.length) * monthMs;
    await eventually(() => movers.every((clock) => clock.now() === moved), { withinMs: 1_500 });
  });
});

describe('a service by itself', () => {
  it("goes by the machine's clock, whatever the row says, unless SANDBOX_CLOCK is on", async () => {
    await (await open()).move({ to: { advanceMs: monthMs }, isFrozen: true });
    const settings = { DATABASE_WORKER_URL: database.urlFor('auth_worker') };
    const off = createProcessClock({ ...settings, SANDBOX_CLOCK: 'off' }, { part: 'follower', log: quiet });
    expect([off.clock, off.services]).toEqual([systemClock, []]);
    const on = createProcessClock({ ...settings, SANDBOX_CLOCK: 'on' }, { part: 'follower', log: quiet });
    for (const service of on.services) await service.start();
    expect(on.clock.now()).toBe(machineMs + monthMs);
    for (const service of on.services) await service.stop();
  });
});

describe("F49 the machine's clock steps", () => {
  it('back by an hour: the clock goes on, and goes on after a restart', async () => {
    const clock = await open({ startMs });
    const before = clock.now();
    await stepMachineOfDatabase(-3_600);
    await clock.move({ to: { advanceMs: 0 }, isFrozen: false }); // looks at the row
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    await stepMachineOfDatabase(-3_600);
    const next = await open();
    expect(next.now()).toBeGreaterThanOrEqual(clock.now() - 100);
    expect(next.now() - clock.now()).toBeLessThan(10_000);
  });

  it('ahead by an hour, as after a sleep: the clock follows', async () => {
    const clock = await open({ startMs, part: 'mover' });
    await stepMachineOfDatabase(3_600);
    await eventually(() => clock.now() >= startMs + 3_600_000, { withinMs: 2_000 });
  });
});
