import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { SpoolFull } from '../src/sdk.ts';
import { systemClock } from '../src/clock.ts';
import { useMeter } from './support/use-meter.ts';

const bench = useMeter();
const call = { tool: 'search', duration_ms: 5 };
const hourMs = 3_600_000;
const keysOf = (results: readonly { idempotencyKey: string }[]): string[] =>
  results.map(({ idempotencyKey }) => idempotencyKey).sort();
const counted = (): string[] => [...bench.server.counted.keys()].sort();
const segments = (): string[] => readdirSync(bench.dir).filter((name) => name.endsWith('.spool'));

/** Many events at once, so that they share flushes. */
async function recordMany(meter: Awaited<ReturnType<typeof bench.open>>, count: number): Promise<string[]> {
  return keysOf(await Promise.all(Array.from({ length: count }, () => meter.record(call))));
}

describe('a meter', () => {
  it('sends what it recorded in full requests, and leaves an empty folder', async () => {
    const meter = await bench.open({ lingerMs: 1_000 });
    const keys = await recordMany(meter, 2_500);
    expect(await meter.close()).toMatchObject({ left: 0 });
    expect(counted()).toEqual(keys);
    expect(Math.max(...bench.server.batches)).toBe(1_000);
    expect(bench.server.batches.length).toBeLessThanOrEqual(4);
    expect(readdirSync(bench.dir)).toEqual(['account.json']);
    expect(meter.stats()).toMatchObject({ queued: 0, sent: 2_500, duplicates: 0, rejected: 0, lastError: undefined });
  });

  it('keeps what it could not send for the next meter of the folder', async () => {
    bench.server.always = { status: 503, code: 'unavailable' };
    const first = await bench.open();
    const keys = await recordMany(first, 300);
    expect(await first.close({ timeoutMs: 50 })).toMatchObject({ left: 300 });
    expect(first.stats().lastError).toMatchObject({ code: 'unavailable' });
    bench.server.always = undefined;
    const second = await bench.open();
    expect(second.stats().queued).toBe(300);
    expect(await second.close()).toMatchObject({ left: 0 });
    expect(counted()).toEqual(keys);
  });

  it('counts an event once under a key of the caller, however often it is recorded', async () => {
    const meter = await bench.open();
    await meter.record({ ...call, idempotencyKey: 'mine' });
    await meter.record({ ...call, idempotencyKey: 'mine' });
    await meter.close();
    expect(counted()).toEqual(['mine']);
    expect(meter.stats()).toMatchObject({ sent: 2, duplicates: 1 });
  });

  it('records no more once it is closed', async () => {
    const meter = await bench.open();
    await meter.close();
    await expect(meter.record({ ...call, idempotencyKey: 'late' })).rejects.toMatchObject({
      code: 'meter_closed',
      idempotencyKey: 'late',
    });
  });

  it('without a disk sends the same, from memory', async () => {
    const meter = await bench.open({ dir: undefined, durability: 'memory' });
    const keys = await recordMany(meter, 1_200);
    await meter.close();
    expect(counted()).toEqual(keys);
    expect(readdirSync(bench.dir)).toEqual([]);
  });

  it('shows observers what is sent, rejected and failed', async () => {
    const seen: string[] = [];
    const names = ['sent', 'rejected', 'failed'].map((name) => `tollgate:meter:${name}`);
    const observe = (_message: unknown, name: string | symbol): void => void seen.push(String(name));
    for (const name of names) subscribe(name, observe);
    bench.server.next.push({ status: 500, code: 'server_error' });
    bench.server.judge = () => ({ status: 'rejected', code: 'tool_not_found', http: 404 });
    const meter = await bench.open();
    await meter.record(call);
    await meter.close();
    for (const name of names) unsubscribe(name, observe);
    expect(seen).toEqual(['tollgate:meter:failed', 'tollgate:meter:sent', 'tollgate:meter:rejected']);
  });

  it('sets one event aside that the service cannot read, and sends the others', async () => {
    const meter = await bench.open({ lingerMs: 5_000 });
    await meter.record({ ...call, idempotencyKey: 'a' });
    const [segment = ''] = segments();
    await meter.close({ timeoutMs: 0 });
    const { toLine } = await import('../src/meter/spool-format.ts');
    const lines = ['{"tool_id":"x","idempotency_key":"b"}', 'NaN}', '{"tool_id":"x","idempotency_key":"c"}'];
    const left = segments()[0] ?? segment;
    writeFileSync(join(bench.dir, left), lines.map(toLine).join(''), { flag: 'a' });
    const next = await bench.open();
    expect(await next.close()).toMatchObject({ left: 0 });
    expect(counted()).toEqual(['a', 'b', 'c']);
    expect(bench.rejected()).toMatchObject([{ code: 'invalid_request', event: 'NaN}' }]);
  });

  it('F210 SpoolFull has lost nothing: what was recorded is sent, and then there is room again', async () => {
    bench.server.always = 'hang';
    const meter = await bench.open({ maxBytes: 10_000 });
    const kept: string[] = [];
    let full: unknown;
    while (full === undefined) {
      await meter.record(call).then(
        ({ idempotencyKey }) => kept.push(idempotencyKey),
        (error: unknown) => void (full = error),
      );
    }
    expect(full).toBeInstanceOf(SpoolFull);
    expect(full).toMatchObject({ code: 'spool_full', name: 'SpoolFull' });
    expect(meter.stats().bytes).toBeLessThanOrEqual(10_000);
    await meter.close({ timeoutMs: 0 });
    bench.server.always = undefined;
    const next = await bench.open({ maxBytes: 10_000 });
    await eventually(() => next.stats().queued === 0, { withinMs: 2_000 });
    expect(counted()).toEqual(kept.sort());
    await next.record(call);
  });
});

it('F205 an event whose segment was taken from its living writer is written again, and counted once', async () => {
  bench.server.always = 'hang';
  const meter = await bench.open({ lingerMs: 60_000 });
  const { idempotencyKey } = await meter.record(call);
  const [segment = ''] = segments();
  renameSync(join(bench.dir, segment), join(bench.dir, 'fedcba9876543210-00000001.spool')); // as another writer does
  const second = await meter.record(call);
  expect(segments()).toHaveLength(2);
  bench.server.always = undefined;
  await meter.close();
  expect(counted()).toEqual([second.idempotencyKey]);
  const other = await bench.open();
  await other.close();
  expect(counted()).toEqual([idempotencyKey, second.idempotencyKey].sort());
});

it('F205 an event whose segment cannot be asked for its name is not kept, and takes no later one with it', async () => {
  bench.server.always = { status: 503, code: 'unavailable' };
  const meter = await bench.open();
  const first = await meter.record(call);
  renameSync(bench.dir, `${bench.dir}-away`);
  writeFileSync(bench.dir, ''); // a name below a file is ENOTDIR, as a disk in trouble may answer, too
  await expect(meter.record(call)).rejects.toMatchObject({ code: 'ENOTDIR' });
  rmSync(bench.dir);
  renameSync(`${bench.dir}-away`, bench.dir);
  const later = await meter.record(call);
  bench.server.always = undefined;
  expect(await meter.close({ timeoutMs: 20_000 })).toMatchObject({ left: 0 });
  expect(counted()).toEqual(keysOf([first, later]));
});

it('F205 an event is still sent after its folder was away while the sender looked for it', async () => {
  bench.server.always = { status: 503, code: 'unavailable' };
  const meter = await bench.open();
  const { idempotencyKey } = await meter.record(call);
  renameSync(bench.dir, `${bench.dir}-away`);
  const { failures } = meter.stats();
  await eventually(() => meter.stats().failures > failures + 1, { withinMs: 20_000 }); // so it began one without the folder
  renameSync(`${bench.dir}-away`, bench.dir);
  bench.server.always = undefined;
  expect(await meter.close({ timeoutMs: 20_000 })).toMatchObject({ left: 0 });
  expect(counted()).toEqual([idempotencyKey]);
});

it('F206 events whose answer was lost are sent again and counted once', async () => {
  bench.server.next.push('lose', 'lose', 'count');
  const meter = await bench.open();
  const keys = await recordMany(meter, 50);
  // A batch is settled first, and counted in the figures after that.
  await eventually(() => meter.stats().queued === 0 && meter.stats().duplicates > 0, { withinMs: 5_000 });
  expect(counted()).toEqual(keys);
});

it('F207 an event that grows old is warned of, and is never dropped: the service refuses it into rejected.jsonl', async () => {
  bench.server.next.push({ status: 503, code: 'unavailable' });
  bench.server.judge = ({ timestamp }) =>
    Date.parse(timestamp) < systemClock.now() - 24 * hourMs
      ? { status: 'rejected', code: 'event_expired', http: 422 }
      : undefined;
  const rejected: string[] = [];
  const meter = await bench.open({ onRejected: ({ code }) => rejected.push(code) });
  const timestamp = new Date(systemClock.now() - 25 * hourMs);
  const { idempotencyKey } = await meter.record({ ...call, timestamp });
  await eventually(() => meter.stats().rejected === 1, { withinMs: 5_000 });
  expect(bench.warnings).toEqual([expect.stringContaining('Tollgate refuses events of more than 24 hours')]);
  expect(rejected).toEqual(['event_expired']);
  expect(bench.rejected()).toMatchObject([{ code: 'event_expired', event: { idempotency_key: idempotencyKey } }]);
});

it('F208 a clock that is set back or forward loses no event and sends none twice', async () => {
  let offsetMs = 0;
  const clock = { now: () => systemClock.now() + offsetMs, monotonicMs: systemClock.monotonicMs };
  bench.server.next.push({ status: 503, code: 'unavailable' });
  const meter = await bench.open({}, clock);
  const keys: string[] = [];
  for (offsetMs of [0, -6 * hourMs, 30 * 24 * hourMs, -1]) {
    keys.push((await meter.record(call)).idempotencyKey);
  }
  await eventually(() => meter.stats().queued === 0, { withinMs: 5_000 });
  expect(counted()).toEqual(keys.sort());
  expect(bench.rejected()).toEqual([]);
});

it('F209 in a storm of 429s a meter waits as long as it is told, however much is recorded, and loses nothing', async () => {
  bench.server.next.push({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '5' } });
  const meter = await bench.open();
  const startMs = systemClock.monotonicMs();
  const keys = await recordMany(meter, 20);
  await eventually(() => meter.stats().failures > 0, { withinMs: 2_000 });
  keys.push(...(await recordMany(meter, 1_500))); // more than a full request, while it waits
  await recordMany(meter, 1).then((more) => keys.push(...more));
  expect(bench.server.batches).toEqual([expect.any(Number)]);
  await eventually(() => meter.stats().queued === 0, { withinMs: 15_000 });
  expect(systemClock.monotonicMs() - startMs).toBeGreaterThanOrEqual(4_990);
  expect(counted()).toEqual(keys.sort());
});

it('F211 a folder that belongs to another account sends nothing, and says so', async () => {
  bench.server.always = { status: 503, code: 'unavailable' };
  const first = await bench.open();
  const { idempotencyKey } = await first.record(call);
  await eventually(() => first.stats().failures > 0, { withinMs: 2_000 });
  await first.close({ timeoutMs: 0 });
  bench.server.always = undefined;
  bench.server.accountId = 'account-2';
  const other = await bench.open();
  await eventually(() => other.stats().failures > 0, { withinMs: 2_000 });
  expect(other.stats().lastError).toMatchObject({ code: 'wrong_account' });
  expect(await other.close({ timeoutMs: 0 })).toMatchObject({ left: 1 });
  expect(counted()).toEqual([]);
  bench.server.accountId = 'account-1';
  await (await bench.open()).close();
  expect(counted()).toEqual([idempotencyKey]);
});
