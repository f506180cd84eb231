import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { rawExchange } from '@tollgate/testkit/raw-http';
import fc from 'fast-check';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

/** It stands still between requests, so that two accounts have the same allowance left. */
const monotonic = { nowMs: 0 };
const gateway = useGateway({ monotonic });
let toolId: string;
let archivedId: string;

beforeAll(async () => {
  toolId = await gateway.newTool({ measures: ['tokens'] });
  archivedId = await gateway.newTool();
  await gateway.archive(archivedId);
});

interface Sent {
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** The scheme of the credential may be written in either case. The line takes the usual one, and leaves the other to the front. */
type Way = 'Bearer' | 'bearer';

/** An account whose key the gateway knows, which is what the line asks for. */
async function knownAccount(): Promise<TestAccount> {
  const account = await gateway.newAccount();
  await gateway.send('GET', '/v1/events', { token: account.token });
  return account;
}

function toRequest({ headers, body }: Sent, { token }: TestAccount, way: Way): Buffer {
  const head = ['POST /v1/events HTTP/1.1', 'Host: a', `Authorization: ${way} ${token}`, ...headers];
  return Buffer.concat([Buffer.from([...head, `Content-Length: ${body.length}`, '', ''].join('\r\n')), body]);
}

/** Gives equal names to what differs between two accounts and two requests: ids and dates. */
function withoutIds(text: string): string {
  const names = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return text
    .replaceAll(uuid, (id) => names.get(id) ?? (names.set(id, `<id ${names.size}>`), names.get(id) ?? ''))
    .replaceAll(/^Date: .*$/gm, 'Date: <now>');
}

/** The answers to the requests, one after the other, and the records that they left in the log. */
async function play(requests: readonly Sent[], way: Way): Promise<{ answers: string; records: string[] }> {
  const account = await knownAccount();
  const answers: string[] = [];
  for (const request of requests) {
    const sent = toRequest({ ...request, headers: [...request.headers, 'Connection: close'] }, account, way);
    answers.push((await rawExchange(gateway.port, sent)).text);
  }
  const records = (await gateway.appended()).filter((record) => record.consumer_id === account.accountId);
  return {
    answers: withoutIds(answers.join('\n')),
    records: records.map((record) => withoutIds(JSON.stringify(record))).sort(),
  };
}

const json = 'Content-Type: application/json';
const now = (): number => gateway.clock.now();

function anyEvent(): fc.Arbitrary<unknown> {
  const tools = fc.constantFrom(toolId, toolId, toolId, toolId, archivedId, 'no-such-tool', 'Not a slug', '', 7);
  const times = fc.constantFrom(
    toIso(now()),
    toIso(now() - dayMs),
    toIso(now() - dayMs - 1),
    toIso(now() + dayMs),
    '2026-11-21t12:34:56+02:00',
    'yesterday',
    null,
  );
  const values = fc.oneof(fc.string({ maxLength: 9 }), fc.double(), fc.boolean(), fc.constant(null), fc.constant([1]));
  const metadata = fc.dictionary(fc.constantFrom('tokens', 'model', '__proto__', 'é'), values, { maxKeys: 3 });
  return fc.record(
    {
      tool_id: tools,
      timestamp: times,
      success: fc.oneof(fc.boolean(), fc.constantFrom(null, 'yes')),
      duration_ms: fc.constantFrom(0, -0, 12, 0.5, 86_400_000, 1e12, -1, null),
      metadata: fc.oneof(metadata, fc.constant(null), fc.constant('text')),
      idempotency_key: fc.constantFrom('one', 'two', 'one', 'two', 'é', ''),
      consumer_id: fc.constantFrom(randomUUID(), null),
      toolId: fc.constant('x'),
      unknown: fc.string(),
    },
    { requiredKeys: ['tool_id'], noNullPrototype: true },
  );
}

/** An event without a field that is ignored, refused or odd: most of what is sent. */
function plainEvent(): fc.Arbitrary<unknown> {
  return fc.record(
    {
      tool_id: fc.constant(toolId),
      duration_ms: fc.integer({ min: 0, max: 1_000 }),
      metadata: fc.record({ model: fc.string({ maxLength: 5 }), tokens: fc.nat() }),
      timestamp: fc.integer({ min: now() - dayMs, max: now() }).map(toIso),
      idempotency_key: fc.constantFrom('one', 'two', 'three'),
    },
    { requiredKeys: ['tool_id'], noNullPrototype: true },
  );
}

function anyRequest(): fc.Arbitrary<Sent> {
  const texts = fc.oneof(
    { weight: 6, arbitrary: plainEvent().map((event) => JSON.stringify(event)) },
    { weight: 6, arbitrary: anyEvent().map((event) => JSON.stringify(event)) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '{"tool_id":', '[]', `${'['.repeat(40)}`, '{"tool_id":"\\ud800"}'),
    },
  );
  const bodies = fc.oneof(
    { weight: 9, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
  );
  const headers = fc.oneof(
    { weight: 6, arbitrary: fc.constant([json]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(['X-Request-Id: mine'], ['X-Request-Id: not/mine']).map((more) => [json, ...more]),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        [],
        ['Content-Type: text/plain'],
        [json, json],
        [`${json}; charset=utf-8`],
        [json, 'Content-Encoding: gzip'],
        [json, 'Idempotency-Key: one'],
        [json, 'Cookie: tg=1', 'Origin: https://a.example'],
      ),
    },
  );
  return fc.record({ headers, body: bodies }, { noNullPrototype: true });
}

describe('the line of POST /v1/events', () => {
  it('gives the answers and makes the records that the front does, byte for byte but ids and dates', async () => {
    const once = fc.array(anyRequest(), { minLength: 1, maxLength: 4 });
    const requests = once.map((sent) => [...sent, ...sent]); // events with a key are repeats by then
    const isEqual = fc.asyncProperty(requests, async (sent) => {
      const onTheLine = await play(sent, 'Bearer');
      expect(onTheLine).toEqual(await play(sent, 'bearer'));
    });
    await fc.assert(isEqual, { numRuns: 100 });
  });

  it('refuses beyond the limit as the front does', async () => {
    const sent = { headers: [json], body: Buffer.from(JSON.stringify({ tool_id: toolId })) };
    const many = Array.from({ length: 102 }, () => sent);
    const onTheLine = await play(many, 'Bearer');
    expect(onTheLine.answers.match(/^HTTP\/1\.1 429 /gm)).toHaveLength(2);
    expect(onTheLine).toEqual(await play(many, 'bearer'));
  });

  it('answers pipelined requests in their order, whichever way each goes', async () => {
    const account = await knownAccount();
    const body = Buffer.from(JSON.stringify({ tool_id: toolId }));
    const ids = ['a', 'b', 'c', 'd'];
    const sent = ids.map((id, index) => {
      const close = index === ids.length - 1 ? ['Connection: close'] : [];
      const headers = [json, `X-Request-Id: ${id}`, ...close];
      return toRequest({ headers, body }, account, index % 2 === 0 ? 'Bearer' : 'bearer');
    });
    const { text, answers } = await rawExchange(gateway.port, Buffer.concat(sent));
    expect([...text.matchAll(/^x-request-id: (.*)\r$/gm)].map(([, id]) => id)).toEqual(ids);
    expect([answers, text.match(/"status":"recorded"/g)?.length]).toEqual([ids.length, ids.length]);
  });

  it('counts and logs its requests as the front does, also one that is broken off', async () => {
    for (const way of ['Bearer', 'bearer'] as const) {
      const account = await knownAccount();
      const body = Buffer.from(`{"tool_id":"${toolId}"}`);
      const named = (name: string): Sent => ({
        headers: [json, `X-Request-Id: ${name}-${way}`, 'Connection: close'],
        body,
      });
      await rawExchange(gateway.port, toRequest(named('whole'), account, way));
      await breakOff(toRequest(named('broken'), account, way).subarray(0, -1), `"broken-${way}"`);
    }
    const linesOf = (way: Way): object[] => {
      const lines = gateway
        .logged()
        .split('\n')
        .filter((line) => line.includes(`-${way}"`));
      return lines.slice(0, 2).map((line) => ({ ...(JSON.parse(line) as object), ...withoutMeaning }));
    };
    expect(linesOf('Bearer').map((line) => ('finished' in line ? line.finished : undefined))).toEqual([true, false]);
    expect(linesOf('Bearer')).toEqual(linesOf('bearer'));
  });
});

const withoutMeaning = { request_id: '', account_id: '', duration_ms: 0, time: '' };

/** Again and again, each time later, until the log says so: bytes that came at once may be the first half of a request. */
async function breakOff(sent: Buffer, logged: string): Promise<void> {
  for (let waitMs = 200; waitMs < 30_000 && !gateway.logged().includes(logged); waitMs *= 2) {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(sent);
    await wait(waitMs);
    socket.resetAndDestroy();
    await wait(waitMs);
  }
}
