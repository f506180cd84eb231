import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@tollgate/contracts/event-answers';
import type { Usage } from '@tollgate/contracts/usage';
import { hourMs } from '@tollgate/kernel/durations';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { buildStandalone, startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';

import { registerAccount } from '../register-cast.ts';

/** The main job, as a newcomer does it: over HTTP, from nothing to counted calls. */
describe('from an account to counted calls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-interface-'));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
  let product: StandaloneProcess | undefined;
  let client: HttpClient;
  let builder: string;
  let consumer: string;

  beforeAll(async () => {
    await buildStandalone();
    product = startStandalone({ dataDir: join(folder, 'data') });
    const { baseUrl } = await product.ready();
    const document = await createHttpClient({ baseUrl })<object>('GET', '/openapi.json');
    client = createHttpClient({ baseUrl, answerCheck: createAnswerCheck(document.body) });
    builder = await registerAccount(client, 'builder');
    consumer = await registerAccount(client, 'consumer');
  }, 180_000);

  afterAll(async () => {
    await product?.destroy(); // undefined: it did not build
    rmSync(folder, { recursive: true, force: true });
  });

  it('records a call of a tool the moment it is registered, and counts it within a second for both', async () => {
    const price = {
      currency: 'usd',
      charges: [
        { metric: { type: 'metadata_sum', key: 'tokens' }, model: { type: 'per_unit', unit_price_usd: '0.00001' } },
      ],
    };
    const tool = { slug: 'summarise', name: 'Summarise', price };
    expect((await client('POST', '/v1/tools', { token: builder, body: tool })).status).toBe(201);

    const calls = [
      {
        tool_id: 'summarise',
        duration_ms: 120,
        metadata: { tokens: 1_200, model: 'small' },
        idempotency_key: 'call-1',
      },
      { tool_id: 'summarise', duration_ms: 80, success: false, metadata: { tokens: '0.5' } },
    ];
    const [first] = await Promise.all(
      calls.map((body) => client<RecordedEvent>('POST', '/v1/events', { token: consumer, body })),
    );
    expect(first).toMatchObject({ status: 201, body: { tool_id: 'summarise', status: 'recorded' } });
    const again = await client<RecordedEvent>('POST', '/v1/events', { token: consumer, body: calls[0] });
    expect(again.body).toEqual(first?.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');

    const sums = { calls: 2, successes: 1, failures: 1, duration_ms: 200, measures: { tokens: '1200.5' } };
    const row = { tool_id: 'summarise', ...sums };
    for (const [token, role] of [
      [consumer, 'consumer'],
      [builder, 'builder'],
    ] as const)
      await eventually(
        async () => {
          const usage = await client<Usage>('GET', `/v1/usage?group_by=tool_id&role=${role}`, { token });
          expect(usage.body).toMatchObject({ usage: [row], totals: sums });
          return true;
        },
        { withinMs: 1_000 },
      );
    const event = await client('GET', `/v1/events/${first?.body.event_id}`, { token: consumer });
    expect(event.body).toMatchObject({ state: 'counted', idempotency_key: 'call-1', metadata: { tokens: 1_200 } });
  });

  it('says through when everything is counted, and moves on without traffic', async () => {
    const countedThrough = async () =>
      Date.parse((await client<Usage>('GET', '/v1/usage', { token: consumer })).body.counted_through);
    const before = systemClock.now();
    await eventually(async () => (await countedThrough()) >= before, { withinMs: 15_000, everyMs: 250 });
  }, 20_000);

  it('keeps every rule for the time of an event', async () => {
    const send = (timestamp?: string) =>
      client<RecordedEvent>('POST', '/v1/events', { token: consumer, body: { tool_id: 'summarise', timestamp } });
    const now = systemClock.now();
    const past = toIso(now - 23 * hourMs);
    expect((await send(past)).body.timestamp).toBe(past);
    expect(await send(toIso(now - 24 * hourMs - 1_000))).toMatchObject({
      status: 422,
      body: { code: 'event_expired' },
    });
    const future = await send(toIso(now + hourMs));
    expect(Date.parse(future.body.timestamp)).toBeLessThan(now + 60_000);
  });

  it.each([
    ['nothing', {}, 400, 'invalid_request'],
    ['an unknown tool', { tool_id: 'no-such-tool' }, 404, 'tool_not_found'],
    ['eleven metadata keys', { tool_id: 'summarise', metadata: keys(11) }, 400, 'invalid_request'],
    ['a value of 257 characters', { tool_id: 'summarise', metadata: { a: '😀'.repeat(257) } }, 400, 'invalid_request'],
    ['a measure that is no number', { tool_id: 'summarise', metadata: { tokens: 'many' } }, 400, 'invalid_request'],
    ['a known key for another call', { tool_id: 'summarise', idempotency_key: 'call-1' }, 409, 'idempotency_conflict'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await client('POST', '/v1/events', { token: consumer, body });
    expect(answer).toMatchObject({ status, body: { status, code } });
  });

  it('takes 256 characters however many bytes they have, and a batch with a bad item', async () => {
    const events = [
      { tool_id: 'summarise', metadata: { a: '😀'.repeat(256) } },
      { tool_id: 'no-such-tool' },
      {
        tool_id: 'summarise',
        idempotency_key: 'call-1',
        duration_ms: 120,
        metadata: { model: 'small', tokens: 1_200 },
      },
    ];
    const answer = await client('POST', '/v1/events/batch', { token: consumer, body: { events } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        recorded: 1,
        duplicates: 1,
        rejected: 1,
        unknown: 0,
        results: [
          { status: 'recorded' },
          { status: 'rejected', error: { code: 'tool_not_found' } },
          { status: 'duplicate' },
        ],
      },
    });
  });

  it('works the same with an API key, and not after it is revoked', async () => {
    const created = await client<{ id: string; key: string }>('POST', '/v1/api-keys', {
      token: consumer,
      body: { name: 'ci' },
    });
    const { id, key } = created.body;
    const send = () => client('POST', '/v1/events', { token: key, body: { tool_id: 'summarise' } });
    expect((await send()).status).toBe(201);
    expect((await client('DELETE', `/v1/api-keys/${id}`, { token: consumer })).status).toBe(204);
    await eventually(async () => (await send()).status === 401, { withinMs: 1_000 });
  });

  it('refuses what exceeds 100 requests in a second, and says when to come back', async () => {
    const token = await registerAccount(client, 'in-a-hurry');
    const send = () => client('POST', '/v1/events', { token, body: { tool_id: 'summarise' } });
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    const refusals = () => answers.filter(({ status }) => status === 429);
    const burst = async () => {
      answers.push(...(await Promise.all(Array.from({ length: 150 }, send))));
      return refusals().length > 0; // none, if the machine took more than a second for them
    };
    await eventually(burst, { withinMs: 10_000 });
    const refused = refusals();
    expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
    for (const { headers, body } of refused) {
      expect(body).toMatchObject({ code: 'rate_limit_exceeded' });
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  it('stops taking calls of an archived tool', async () => {
    expect((await client('POST', '/v1/tools/summarise/archive', { token: builder })).status).toBe(200);
    // The gateway hears of it by NOTIFY; what it promises is a second.
    const answer = await eventually(
      async () => {
        const event = await client('POST', '/v1/events', { token: consumer, body: { tool_id: 'summarise' } });
        return event.status === 201 ? undefined : event;
      },
      { withinMs: 1_000 },
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
  });
});

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']));
}
