import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';

import { runTollgate } from './support/run-tollgate.ts';
import { useStandalone } from './support/use-standalone.ts';

const running = useStandalone();
const calls = 300; // a sample of a day has 200
const patience = { withinMs: 30_000 };

const query = <Row extends object>(text: string) =>
  withOracleDatabase(ownerUrlOf(running.dataDir), async (database) => (await database.query<Row>(text)).rows);

async function register(name: string): Promise<string> {
  const body = { email: `${name}@example.com`, password: `the password of ${name}` };
  return String((await running.send('POST', '/v1/auth/register', { body })).body['access_token']);
}

/** Sends calls with keys, and has the sandbox send two webhooks: of a card and of a payout account. Returns the month. */
async function use(): Promise<string> {
  const { send } = running;
  const [builder, consumer] = [await register('builder'), await register('consumer')];
  await send('POST', '/v1/tools', {
    token: builder,
    body: { slug: 'search', name: 'Search', price: { per_call_usd: '0.01' } },
  });
  const body = { return_url: 'https://example.com/back' };
  const connect = await send('POST', '/v1/billing/connect', { token: builder, body });
  const setup = await send('POST', '/v1/billing/payment-method', { token: consumer, body });
  await press(String(connect.body['connect_url']), {});
  await press(String(setup.body['setup_url']), { card: 'visa' });
  const events = Array.from({ length: calls }, (_, call) => ({ tool_id: 'search', idempotency_key: `call-${call}` }));
  for (let from = 0; from < calls; from += 100) {
    const batch = { events: events.slice(from, from + 100) };
    expect(await send('POST', '/v1/events/batch', { token: consumer, body: batch })).toMatchObject({ status: 200 });
  }
  const recorded = await send('POST', '/v1/events', { token: consumer, body: { tool_id: 'search' } });
  const counted =
    'select count(*)::int as events, (select count(*)::int from sandbox.event where delivered_at is not null) as sent from usage.event';
  await eventually(async () => {
    const [row] = await query<{ events: number; sent: number }>(counted);
    return row?.events === calls + 1 && row.sent === 2;
  }, patience);
  return String(recorded.body['timestamp']).slice(0, 7);
}

async function press(url: string, more: Record<string, string>): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const fields = { token: searchParams.get('token') ?? '', answer: 'complete', ...more };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const rawBody = new URLSearchParams(fields).toString();
  expect(await running.send('POST', pathname, { headers, rawBody })).toMatchObject({ status: 303 });
}

describe('tollgate reconcile --keys beside a running Tollgate', () => {
  it('F278 looks at the key of every event and at every webhook, and names the one key and the webhooks that are gone', async () => {
    const period = await use();
    const reconcile = (more: string) =>
      runTollgate(`reconcile --period ${period}${more}`, {
        env: { DATA_DIR: running.dataDir },
        folder: running.folder,
      });
    const sound = await reconcile(' --keys');
    expect(sound).toMatchObject({ code: 0, err: '' });
    const keys = `✓ events = their keys\n    kept events with a key: ${calls}, ${calls} calls\n    their keys: ${calls}, ${calls} calls\n`;
    expect(sound.out).toContain(keys);
    expect(sound.out).toContain(
      '✓ webhooks = events of the processor\n    webhooks in our inbox: 2, 2 events\n    events at sandbox that they tell of: 2, 2 events\n',
    );
    expect((await reconcile('')).out).toContain('kept events with a key, 200 of each day: 200, 200 calls');

    const [gone] = await query<{ event_id: string }>(
      `delete from usage.event_key where event_id = (select event_id from usage.event where idempotency_key = 'call-7') returning event_id`,
    );
    await query('delete from billing.webhook_event');
    const emptied = await reconcile(' --keys');
    expect(emptied).toMatchObject({ code: 1, err: '' });
    expect(emptied.out).toMatch(
      new RegExp(`✗ events = their keys\n.*\n.*\n +differs: event ${gone?.event_id} of .*: its key was removed`),
    );
    expect(emptied.out).toMatch(
      /✗ webhooks = events of the processor\n.*: 0, 0 events\n.*: 2, 2 events\n( +differs: event evt_.*: its webhook is not in our inbox\n){2}/,
    );
  }, 120_000);
});
