import { describe, expect } from '@jest/globals';
import type { RecordedEvent } from '@tollgate/contracts/events/event-answers';
import type { Usage } from '@tollgate/contracts/money/usage';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { registerAccount } from '../register-cast.ts';

const charge = {
  metric: { type: 'metadata_sum', key: 'tokens' },
  model: { type: 'per_unit', unit_price_usd: '0.00001' },
};
const tool = { slug: 'summarise', name: 'Summarise', price: { currency: 'usd', charges: [charge] } };
const sums = { calls: 2, successes: 1, failures: 1, duration_ms: 200, measures: { tokens: '1200.5' } };
const calls = [
  { tool_id: 'summarise', duration_ms: 120, metadata: { tokens: 1_200, model: 'small' }, idempotency_key: 'call-1' },
  { tool_id: 'summarise', duration_ms: 80, success: false, metadata: { tokens: '0.5' } },
];

/** The main job, as a newcomer does it: over HTTP, from nothing to counted calls. */
describe('from an account to counted calls', () => {
  const it = itWith(async (undo) => {
    const { client } = await openProduct({ name: 'interface' }, undo);
    const [builder, consumer] = [await registerAccount(client, 'builder'), await registerAccount(client, 'consumer')];
    const send = (body: object) => client<RecordedEvent>('POST', '/v1/events', { token: consumer, body });
    return { client, builder, consumer, send };
  });

  it('records a call of a tool the moment it is registered, and counts it within a second for both', async (opened) => {
    const { client, builder, consumer, send } = opened;
    expect((await client('POST', '/v1/tools', { token: builder, body: tool })).status).toBe(201);
    const [first] = await Promise.all(calls.map(send));
    expect(first).toMatchObject({ status: 201, body: { tool_id: 'summarise', status: 'recorded' } });
    const again = await send(calls[0] ?? {});
    expect(again.body).toEqual(first?.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');

    for (const [role, token] of Object.entries({ consumer, builder })) {
      const isCounted = async () => {
        const usage = await client<Usage>('GET', `/v1/usage?group_by=tool_id&role=${role}`, { token });
        expect(usage.body).toMatchObject({ usage: [{ tool_id: 'summarise', ...sums }], totals: sums });
        return true;
      };
      await eventually(isCounted, { withinMs: 1_000 });
    }
    const event = await client('GET', `/v1/events/${first?.body.event_id}`, { token: consumer });
    expect(event.body).toMatchObject({ state: 'counted', idempotency_key: 'call-1', metadata: { tokens: 1_200 } });
  });

  it('F159 takes no call of a tool from a second after its archive on', async ({ client, builder, send }) => {
    for (let n = 1; n <= 5; n += 1) {
      const slug = `archived-${n}`;
      await client('POST', '/v1/tools', { token: builder, body: { ...tool, slug } });
      const event = { tool_id: slug, metadata: { tokens: 1 } };
      expect((await send(event)).status).toBe(201);
      expect((await client('POST', `/v1/tools/${slug}/archive`, { token: builder })).status).toBe(200);
      await eventually(async () => (await send(event)).status === 404, { withinMs: 1_000 });
      expect([n, await send(event)]).toMatchObject([n, { status: 404, body: { code: 'tool_not_found' } }]);
    }
  });
});
