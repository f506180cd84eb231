import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createApiKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { rawExchange } from '@tollgate/testkit/raw-http';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { openTokenIssuer } from '../support/issue-token.ts';

const monotonic = { nowMs: 1_000_000 };
let gateway: GatewayUnderTest;
let account: TestAccount;
let toolId: string;

beforeAll(async () => {
  gateway = await startGateway({ monotonic });
  toolId = await gateway.newTool();
});
beforeEach(async () => {
  account = await gateway.newAccount();
});
afterAll(() => gateway.stop());

function burst(token: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, () =>
      gateway.send<{ code: string }>('POST', '/v1/events', { token, body: { tool_id: toolId } }),
    ),
  );
}

function admitted(answers: readonly { status: number }[]): number {
  return answers.filter(({ status }) => status !== 429).length;
}

async function anotherKey(accountId: string): Promise<string> {
  const token = createApiKey();
  const { prefix, lastFour } = partsOfApiKey(token);
  await gateway.owner.query(
    `insert into auth.api_key (key_id, account_id, name, key_hash, prefix, last_four, created_at) values ($1, $2, 'more', $3, $4, $5, '2026-11-21')`,
    [randomUUID(), accountId, hashApiKey(token), prefix, lastFour],
  );
  return token;
}

describe('the limit of 100 requests a second', () => {
  it('admits exactly 100, tells what remains on each, and 429 with Retry-After beyond', async () => {
    const answers = await burst(account.token, 130);
    expect(admitted(answers)).toBe(100);
    const told = answers
      .filter(({ status }) => status === 201)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(told.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    for (const { status, headers, body } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe('100');
      if (status !== 429) continue;
      expect([body.code, headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual([
        'rate_limit_exceeded',
        '1',
        '0',
      ]);
    }
  });

  it('does not count the 429s: a second later there are 100 again', async () => {
    await burst(account.token, 120);
    await burst(account.token, 120);
    monotonic.nowMs += 999;
    expect(admitted(await burst(account.token, 20))).toBe(0);
    monotonic.nowMs += 1;
    expect(admitted(await burst(account.token, 120))).toBe(100);
  });

  it('counts what is refused later (400, 404, 413, 415) and batches as one; not the reading routes', async () => {
    const { token } = account;
    const headers = { 'content-type': 'application/json' };
    await gateway.send('POST', '/v1/events', { token, rawBody: '{', headers });
    await gateway.send('POST', '/v1/events', { token, body: { tool_id: 'unknown-tool' } });
    await gateway.send('POST', '/v1/events', { token, rawBody: 'x', headers: { 'content-type': 'text/plain' } });
    await gateway.send('POST', '/v1/events', { token, rawBody: `"${'x'.repeat(70_000)}"`, headers });
    const read = await gateway.send('GET', '/v1/events', { token });
    const batch = await gateway.send('POST', '/v1/events/batch', {
      token,
      body: { events: [{ tool_id: toolId }, { tool_id: toolId }] },
    });
    expect(batch.headers.get('x-ratelimit-remaining')).toBe('95');
    expect(read.headers.get('x-ratelimit-remaining')).toBeNull();
  });

  it('has a bucket for each key, and one for all tokens of an account', async () => {
    const issueToken = await openTokenIssuer(gateway);
    const { accountId, token } = account;
    const second = await anotherKey(accountId);
    const [one, two] = await Promise.all([burst(token, 110), burst(second, 110)]);
    expect([admitted(one), admitted(two)]).toEqual([100, 100]);
    const [three, four] = await Promise.all([burst(issueToken(accountId), 80), burst(issueToken(accountId), 80)]);
    expect(admitted([...three, ...four])).toBe(100);
  });

  it('F74 holds against pipelining, header case and spoofed addresses', async () => {
    const body = JSON.stringify({ tool_id: toolId });
    const pipelined = Array.from({ length: 120 }, (_, index) =>
      [
        'POST /v1/events HTTP/1.1',
        `${index % 2 === 0 ? 'Authorization' : 'aUTHORIZATION'}: ${index % 3 === 0 ? 'bearer' : 'Bearer'}  ${account.token}`,
        `HOST: h${index}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
        `x-forwarded-for: 10.0.0.${index}`,
        `x-account-id: ${randomUUID()}`,
        `connection: ${index < 119 ? 'keep-alive' : 'close'}`,
        '',
        body,
      ].join('\r\n'),
    ).join('');
    const { text } = await rawExchange(gateway.port, pipelined);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]);
    expect(statuses).toHaveLength(120);
    expect(statuses.filter((status) => status === '201')).toHaveLength(100);
    expect(statuses.filter((status) => status === '429')).toHaveLength(20);
    const own = (await gateway.appended()).filter((record) => record.consumer_id === account.accountId);
    expect(own).toHaveLength(100);
  });

  it('goes by monotonic time: moving the clock changes nothing', async () => {
    await burst(account.token, 100);
    gateway.clock.advance(3_600_000);
    expect(admitted(await burst(account.token, 20))).toBe(0);
  });
});
