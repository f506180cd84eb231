import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';

let gateway: GatewayUnderTest;
let token: string;
let body: string;

beforeAll(async () => {
  gateway = await startGateway();
  ({ token } = await gateway.newAccount());
  body = JSON.stringify({ tool_id: await gateway.newTool() });
});
afterAll(() => gateway.stop());

function request(headers: readonly string[], rest = body): string {
  const lines = [
    'POST /v1/events HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${rest}`;
}

describe('F81 requests that two readers would read differently', () => {
  const length = (): string => `Content-Length: ${body.length}`;
  it.each<[string, () => string]>([
    ['two Authorization headers', () => request([length(), 'Connection: close', 'Authorization: Bearer other'])],
    ['Content-Length and Transfer-Encoding', () => request([length(), 'Transfer-Encoding: chunked'])],
    ['two Content-Length', () => request([length(), 'Content-Length: 5'])],
    ['a bare CR', () => request([length(), 'X-A: b\rX-C: d'])],
    ['an obs-fold', () => request([length(), 'X-A: b\r\n c'])],
    ['two Content-Type', () => request([length(), 'Connection: close', 'Content-Type: text/plain'])],
  ])('refuses %s, and records nothing', async (_, sent) => {
    const before = (await gateway.appended()).length;
    const answer = await rawExchange(gateway.port, sent());
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('application/problem+json');
    expect((await gateway.appended()).length).toBe(before);
  });

  it('F76 writes nothing of a header into an answer', async () => {
    const hostile = request([length(), 'X-Request-Id: a%0d%0aSet-Cookie: x=1', 'Connection: close']);
    const { text } = await rawExchange(gateway.port, hostile);
    expect(text).toMatch(/^HTTP\/1\.1 201/);
    expect(text.toLowerCase()).not.toContain('set-cookie');
  });
});

describe('F77 bodies without end', () => {
  it('refuses at the byte that is too many when the length is not told', async () => {
    const chunk = 'x'.repeat(16_384);
    const chunks = Array.from({ length: 6 }, () => `4000\r\n${chunk}\r\n`).join('');
    const { status, text } = await rawExchange(gateway.port, request(['Transfer-Encoding: chunked'], chunks));
    expect([status, text.includes('payload_too_large')]).toEqual([413, true]);
  });

  it('refuses by the told length, before a byte has come', async () => {
    const { status } = await rawExchange(gateway.port, request(['Content-Length: 99999999999'], ''));
    expect(status).toBe(413);
  });

  it('takes a chunked body that fits', async () => {
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const sent = request(['Transfer-Encoding: chunked', 'Connection: close'], chunked);
    const { status } = await rawExchange(gateway.port, sent);
    expect(status).toBe(201);
  });

  it('takes a body that comes byte by byte in pipelined requests, each for itself', async () => {
    const length = `Content-Length: ${body.length}`;
    const { answers } = await rawExchange(gateway.port, request([length]) + request([length, 'Connection: close']));
    expect(answers).toBe(2);
  });
});

describe('F78 hostile JSON', () => {
  it('is refused at once (5 ms by itself), and prototypes stay what they are', async () => {
    const bodies = [
      '['.repeat(65_000),
      '{"a":'.repeat(13_000),
      `{"tool_id":"${'\\u0000'.repeat(10_000)}"}`,
      '{"__proto__":{"polluted":1}}',
    ];
    for (const hostile of bodies) {
      const send = () =>
        gateway.send('POST', '/v1/events', {
          token,
          rawBody: hostile,
          headers: { 'content-type': 'application/json' },
        });
      const statuses = new Set<number>();
      const tookMs = async () => {
        const startedMs = systemClock.monotonicMs();
        statuses.add((await send()).status);
        return systemClock.monotonicMs() - startedMs;
      };
      // The way there and back included, and whatever else the machine does: the one of several that it let be counts.
      await eventually(async () => (await tookMs()) < 50, { withinMs: 2_000, everyMs: 250 });
      expect([...statuses]).toEqual([400]);
    }
    expect({}).not.toHaveProperty('polluted');
  });
});
