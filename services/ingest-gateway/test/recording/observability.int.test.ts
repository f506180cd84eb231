import { beforeAll, describe, expect, it } from '@jest/globals';
import { seriesIn } from '@tollgate/testkit/read-series';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let token: string;

beforeAll(async () => {
  ({ token } = await gateway.newAccount());
  const toolId = await gateway.newTool({ measures: ['tokens'] });
  const bodies = [
    { tool_id: toolId, idempotency_key: 'key-canary', metadata: { secret: 'value-canary' } },
    { tool_id: toolId, idempotency_key: 'key-canary' },
    { tool_id: toolId, metadata: { tokens: 'measure-canary' } },
    { tool_id: toolId, timestamp: '2001-01-01T00:00:00Z' },
    { tool_id: 7, note: 'ignored-canary' },
  ];
  for (const body of bodies) await gateway.record(body, { token });
  const hostile = { 'x-request-id': 'a\tb', 'user-agent': 'agent-canary', 'content-type': 'application/json' };
  await gateway.send('POST', '/v1/events?token=query-canary', { token, rawBody: '"body-canary', headers: hostile });
});

describe('metrics and log', () => {
  it('count events by outcome and code, and show the events under way', async () => {
    const valueOf = seriesIn(await gateway.metrics());
    expect(valueOf('tollgate_gateway_events_total', { outcome: 'recorded' })).toBeGreaterThan(0);
    expect(valueOf('tollgate_gateway_events_total', { outcome: 'rejected', code: 'event_expired' })).toBe(1);
    expect(valueOf('tollgate_gateway_append_seconds_count', { outcome: 'durable' })).toBeGreaterThan(0);
    expect([valueOf('tollgate_gateway_held_events'), valueOf('tollgate_gateway_held_bytes')]).toEqual([0, 0]);
  });

  it('F76 hold no body, no key, no credential', () => {
    const logged = gateway.logged();
    for (const canary of ['canary', token, 'Bearer']) expect(logged).not.toContain(canary);
  });
});
