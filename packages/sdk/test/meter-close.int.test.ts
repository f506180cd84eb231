import { describe, expect, it } from '@jest/globals';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { systemClock } from '../src/clock.ts';
import { useMeter } from './support/use-meter.ts';

const bench = useMeter();
const call = { tool: 'search', duration_ms: 5 };
const longMs = 600_000;
const counted = (): string[] => [...bench.server.counted.keys()].sort();
const isAway = { status: 503, code: 'unavailable' };

describe('what a meter says when it closes', () => {
  it('is nothing where nothing waits', async () => {
    const meter = await bench.open();
    await meter.record(call);
    expect(await meter.close()).toEqual({ left: 0, others: 0, reason: undefined });
    expect(bench.warnings).toEqual([]);
  });

  it('is how many events wait, and why', async () => {
    bench.server.always = isAway;
    const meter = await bench.open();
    await meter.record(call);
    await eventually(() => meter.stats().failures > 0, { withinMs: 2_000 });
    expect(await meter.close({ timeoutMs: 0 })).toEqual({
      left: 1,
      others: 0,
      reason: 'unavailable: Not now. (request r)',
    });
    expect(bench.warnings).toEqual([
      'the meter is closed, and 1 events are not sent: unavailable: Not now. (request r)',
    ]);
  });

  it('is also what another program holds in the folder', async () => {
    bench.server.always = 'hang';
    const living = await bench.open();
    await living.record(call);
    await living.record(call);
    const meter = await bench.open();
    expect(await meter.close()).toEqual({
      left: 0,
      others: 2,
      reason: 'another program has the folder open, and sends its events itself',
    });
    expect(bench.warnings).toEqual([]);
  });

  it.each([
    ['the key of another account', { accountId: 'account-2' }, /^wrong_account: .* account-2, whose API key this is/],
    ['a key that is refused', { always: { status: 401, code: 'unauthenticated' } }, /^unauthenticated: /],
    ['an account that is suspended', { always: { status: 403, code: 'account_suspended' } }, /^account_suspended: /],
  ])('comes at once with %s', async (_title, trouble, reason) => {
    bench.server.always = isAway;
    const first = await bench.open();
    await first.record(call);
    await eventually(() => first.stats().failures > 0, { withinMs: 2_000 });
    await first.close({ timeoutMs: 0 });
    bench.warnings.length = 0;
    Object.assign(bench.server, { always: undefined }, trouble);
    const meter = await bench.open();
    const startMs = systemClock.monotonicMs();
    expect(await meter.close({ timeoutMs: longMs })).toEqual({
      left: 1,
      others: 0,
      reason: expect.stringMatching(reason),
    });
    expect(systemClock.monotonicMs() - startMs).toBeLessThan(10_000 + busyMs);
    expect(bench.warnings.filter((warning) => warning.startsWith('events wait and are not sent: '))).toHaveLength(1);
  });
});

describe('a meter goes on', () => {
  it.each([
    ['asks for more than a timer can count', '99999999999'],
    ['asks for years', 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ['names an epoch in milliseconds', '99999999999999'],
  ])('F261 and does not spin when the service %s', async (_title, retryAfter) => {
    bench.server.next.push({ ...isAway, headers: { 'retry-after': retryAfter } });
    const meter = await bench.open();
    const keys = [(await meter.record(call)).idempotencyKey];
    await eventually(() => meter.stats().failures > 0, { withinMs: 2_000 });
    for (let more = 0; more < 50; more += 1) keys.push((await meter.record(call)).idempotencyKey);
    expect(bench.server.batches).toHaveLength(1); // it waits
    expect(await meter.close({ timeoutMs: longMs })).toMatchObject({ left: 0 });
    expect(counted()).toEqual(keys.sort());
  });

  it('F261 and closes in its own time when that is more than a timer can count', async () => {
    bench.server.next.push(isAway);
    const meter = await bench.open();
    await meter.record(call);
    expect(await meter.close({ timeoutMs: Infinity })).toMatchObject({ left: 0 });
  });

  it('F261 when its sender dies, and says so', async () => {
    let deaths = 2;
    const clock = {
      now: systemClock.now,
      monotonicMs: () => {
        if (deaths-- > 0) throw new Error('the clock broke');
        return systemClock.monotonicMs();
      },
    };
    bench.server.next.push(isAway, isAway);
    const meter = await bench.open({}, clock);
    const timestamp = new Date(systemClock.now() - 13 * 3_600_000); // so old that the sender asks the clock
    const { idempotencyKey } = await meter.record({ ...call, timestamp });
    await eventually(() => meter.stats().queued === 0, { withinMs: 20_000 });
    expect(bench.warnings).toContain('the sender has stopped, and is started again: Error: the clock broke');
    expect(counted()).toEqual([idempotencyKey]);
  });

  it('F261 when its callbacks throw', async () => {
    bench.server.judge = () => ({ status: 'rejected', code: 'tool_not_found', http: 404 });
    const broken = (): never => {
      throw new Error('broken');
    };
    const meter = await bench.open({ onRejected: broken, onWarning: broken });
    await meter.record(call);
    await meter.record(call);
    await eventually(() => meter.stats().rejected === 2, { withinMs: 5_000 });
    expect(meter.stats().failures).toBe(0);
  });
});
