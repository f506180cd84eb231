import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let token: string;

beforeAll(async () => {
  gateway = await startGateway();
  ({ token } = await gateway.newAccount());
  const toolId = await gateway.newTool({ measures: ['tokens'] });
  const bodies = [
    { tool_id: toolId, idempotency_key: 'key-canary', metadata: { secret: 'value-canary' } },
    { tool_id: toolId, idempotency_key: 'key-canary' },
    { tool_id: toolId, metadata: { tokens: 'measure-canary' } },
    { tool_id: toolId, timestamp: '2001-01-01T00:00:00Z' },
    { tool_id: 7, note: 'ignored-canary' },
  ];
  for (const body of bodies) await gateway.send('POST', '/v1/events', { token, body });
  const hostile = { 'x-request-id': 'a\tb', 'user-agent': 'agent-canary', 'content-type': 'application/json' };
  await gateway.send('POST', '/v1/events?token=query-canary', { token, rawBody: '"body-canary', headers: hostile });
});
afterAll(() => gateway.stop());

describe('what operators see', () => {
  it('counts events by outcome and code, and shows what is held', async () => {
    const text = await gateway.metrics();
    const valueOf = (name: string, ...labels: string[]): number => {
      const line = text
        .split('\n')
        .find((candidate) => [`${name}{`, ...labels].every((part) => candidate.includes(part)));
      return Number(line?.split(' ').at(-1));
    };
    expect(valueOf('tollgate_gateway_events_total', 'outcome="recorded"')).toBeGreaterThan(0);
    expect(valueOf('tollgate_gateway_events_total', 'outcome="rejected"', 'code="event_expired"')).toBe(1);
    expect(valueOf('tollgate_gateway_append_seconds_count', 'outcome="durable"')).toBeGreaterThan(0);
    expect([valueOf('tollgate_gateway_held_events'), valueOf('tollgate_gateway_held_bytes')]).toEqual([0, 0]);
  });

  it('F76 logs no body, no key, no credential', () => {
    const logged = gateway.logged();
    for (const canary of ['canary', token, 'Bearer']) expect(logged).not.toContain(canary);
  });
});
