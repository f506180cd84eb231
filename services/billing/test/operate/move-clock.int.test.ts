import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ClockState } from '@tollgate/contracts/sandbox/sandbox-clock';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { putWatermark } from '../support/put-rollup.ts';
import { operatorToken as token, startBilling, startOfTests, useBilling } from '../support/start-billing.ts';

const path = '/v1/sandbox/clock';
const billing = useBilling({ hasSandboxClock: true });
// Nobody counts in these tests. That the watermark is waited for, the end-to-end test of the operator shows.
beforeAll(() => putWatermark(billing.owner, '3000-01-01'));

const read = async () => (await billing.send('GET', path, { token })).body;
const move = (body: object) => billing.send('POST', path, { token, body });

describe(`GET and POST ${path}`, () => {
  it("begin with the machine's time, set a time or advance it, and freeze the clock or let it tick", async () => {
    expect(await read()).toEqual({ now: startOfTests, frozen: false, worked_through: null });
    const december = { now: '2026-12-01T00:00:00.000Z', frozen: true, worked_through: '2026-12-01T00:00:00.000Z' };
    expect((await move({ now: '2026-12-01T01:00:00+01:00', frozen: true })).body).toEqual(december);
    const later = { now: '2026-12-01T00:01:30.000Z', frozen: true, worked_through: '2026-12-01T00:01:30.000Z' };
    expect((await move({ advance_seconds: 90, frozen: true })).body).toEqual(later);
    expect((await move({ advance_seconds: null, now: null, frozen: true })).body).toEqual(later);
    expect((await move({})).body).toMatchObject({ frozen: false });
    expect(await read()).toMatchObject({ now: expect.stringMatching(/^2026-12-01T00:01:3/) });
  });

  it.each([
    ['/now', { now: 'tomorrow' }],
    ['/by', { advance_seconds: 0, by: 3 }],
    ['/now', { now: '3000-01-01T00:00:00Z' }],
    ['/advance_seconds', { advance_seconds: -1 }],
    ['/advance_seconds', { advance_seconds: 0.5 }],
    ['/advance_seconds', { advance_seconds: 1, now: '2027-01-01T00:00:00Z' }],
    ['/frozen', { frozen: 'no' }],
  ])('400: points at %s of %j', async (pointer, body) => {
    expect(await move(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  it('F268 answers 202 within 30 s while the work goes on, and says at `Location` when it has ended', async () => {
    const other = await startBilling({ hasSandboxClock: true }); // nothing is counted, so the work waits
    const body = { now: '2026-12-01T00:00:00Z', frozen: true };
    const startedMs = systemClock.monotonicMs();
    const moved = await other.send<ClockState>('POST', path, { token, body });
    expect(systemClock.monotonicMs() - startedMs).toBeLessThan(30_000);
    expect(moved).toMatchObject({ status: 202, body: { now: '2026-12-01T00:00:00.000Z', worked_through: null } });
    const progress = moved.headers.get('location') ?? '';
    await putWatermark(other.owner, '3000-01-01');
    const through = async () => (await other.send<ClockState>('GET', progress, { token })).body.worked_through;
    await eventually(async () => (await through()) === moved.body.now, { withinMs: busyMs });
    await other.stop();
  }, 60_000);

  it('404: is not there where the clock cannot be moved', async () => {
    const other = await startBilling();
    expect(await other.send('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await other.send('POST', path, { token, body: {} })).toMatchObject({ status: 404 });
    await other.stop();
  });
});
