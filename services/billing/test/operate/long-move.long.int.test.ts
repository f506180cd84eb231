import { expect, it } from '@jest/globals';
import type { ClockState } from '@tollgate/contracts/sandbox/sandbox-clock';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { putWatermark } from '../support/put-rollup.ts';
import { operatorToken as token, useBilling } from '../support/start-billing.ts';

const billing = useBilling({ hasSandboxClock: true }); // nothing is counted, so the work of a move waits

it('F268 a move of the sandbox clock answers 202 within 30 s while its work goes on, and says at `Location` when it has ended', async () => {
  const startedMs = systemClock.monotonicMs();
  const body = { now: '2026-12-01T00:00:00Z', frozen: true };
  const moved = await billing.send<ClockState>('POST', '/v1/sandbox/clock', { token, body });
  expect(systemClock.monotonicMs() - startedMs).toBeLessThan(30_000);
  expect(moved).toMatchObject({ status: 202, body: { now: '2026-12-01T00:00:00.000Z', worked_through: null } });
  const progress = moved.headers.get('location') ?? '';
  await putWatermark(billing.owner, '3000-01-01');
  const through = async () => (await billing.send<ClockState>('GET', progress, { token })).body.worked_through;
  await eventually(async () => (await through()) === moved.body.now, { withinMs: busyMs });
}, 60_000);
