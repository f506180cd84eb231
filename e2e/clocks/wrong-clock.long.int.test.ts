import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpAnswer } from '@tollgate/testkit/http-client';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { buildStandalone, startStandalone } from '@tollgate/testkit/standalone-process';
import { createWrongClock } from '@tollgate/testkit/wrong-clock';
import { itWith, openFolder } from '../it-with.ts';

/** The watermark moves every second, and the tick comes twice a minute. */
const roundsMs = 35_000;

describe('a product whose machine has a wrong clock', () => {
  const it = itWith(async (undo) => {
    await buildStandalone();
    const folder = openFolder('wrong-clock', undo, () => product.output());
    const clock = createWrongClock(join(folder, 'clock'));
    const dataDir = join(folder, 'data');
    const product = startStandalone({ dataDir, env: clock.env });
    undo(() => product.destroy());
    const send = createHttpClient({ baseUrl: (await product.ready()).baseUrl });
    const setClock = (ms: number): void => {
      clock.offBy(ms);
      product.signal(clock.signal);
    };
    return { send, setClock, dataDir, product };
  });

  it('F140 moves no watermark, closes nothing, takes no event, is not ready and says so, until it is right', async (opened) => {
    const { send, setClock, dataDir, product } = opened;
    const body = { email: 'ada@example.com', password: randomUUID() };
    const { body: account } = await send<{ access_token: string }>('POST', '/v1/auth/register', { body });
    const token = account.access_token;
    const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '1' } };
    await send('POST', '/v1/tools', { token, body: tool });
    const record = () => send('POST', '/v1/events', { token, body: { tool_id: 'search' } });
    const ready = (): Promise<HttpAnswer<unknown>> => send('GET', '/readyz');
    const calls = async () =>
      (await send<{ totals?: { calls: number } }>('GET', '/v1/usage', { token })).body.totals?.calls ?? 0;
    await eventually(async () => (await record()).status === 201, { withinMs: 5_000 });
    await eventually(async () => (await calls()) > 0, { withinMs: 10_000 });

    setClock(40 * dayMs);
    await eventually(async () => (await ready()).status === 503, { withinMs: 10_000 });
    const said = /differs from the clock of the database.*"msg":"not ready"/;
    await eventually(() => said.test(product.output()), { withinMs: 5_000 });
    expect(await record()).toMatchObject({ status: expect.not.stringMatching('201') });
    await sleep(roundsMs);
    const facts = await withOracleDatabase(ownerUrlOf(dataDir), async (database) => ({
      watermark: (await database.query<{ at: Date }>('select max(counted_through) as at from usage.cursor')).rows[0]
        ?.at,
      closed: (await database.query('select period from billing.closed_period')).rows,
    }));
    expect(facts.closed).toEqual([]);
    expect(Number(facts.watermark)).toBeLessThan(systemClock.now());
    expect(product.output()).toContain('the clock of this machine is wrong');

    setClock(0);
    await eventually(async () => (await ready()).status === 200, { withinMs: 10_000 });
    const before = await calls();
    expect(await record()).toMatchObject({ status: 201 });
    await eventually(async () => (await calls()) > before, { withinMs: 10_000 });
  }, 180_000);
});
