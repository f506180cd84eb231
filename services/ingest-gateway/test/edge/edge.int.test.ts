import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rawExchange } from '@tollgate/testkit/raw-http';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { openTokenIssuer } from '../support/issue-token.ts';
import { useGateway } from '../support/use-gateway.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
import { beginSlowPost } from '@tollgate/testkit/slow-request';

const monotonic = { nowMs: 1_000_000 };
let account: TestAccount;
let toolId: string;

describe('the limit of 100 requests per second', () => {
  const gateway = useGateway({ monotonic });

  beforeAll(async () => {
    toolId = await gateway.newTool();
  });
  beforeEach(async () => {
    account = await gateway.newAccount();
  });

  function burst(token: string, count: number) {
    return Promise.all(Array.from({ length: count }, () => gateway.record({ tool_id: toolId }, { token })));
  }

  async function admitted(...bursts: readonly ReturnType<typeof burst>[]): Promise<number> {
    return (await Promise.all(bursts)).flat().filter(({ status }) => status !== 429).length;
  }

  it('admits exactly 100, each with its remaining allowance; further requests are 429 with Retry-After', async () => {
    const answers = await burst(account.token, 130);
    const allowed = answers.filter(({ status }) => status === 201);
    const remaining = allowed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    for (const { status, headers, body } of answers) {
      expect(headers.get('x-ratelimit-limit')).toBe('100');
      if (status === 201) continue;
      const refusal = [status, body.code, headers.get('retry-after'), headers.get('x-ratelimit-remaining')];
      expect(refusal).toEqual([429, 'rate_limit_exceeded', '1', '0']);
    }
  });

  it('follows monotonic time alone: moving the clock changes nothing, and after a second there are 100 again', async () => {
    await burst(account.token, 120);
    gateway.clock.advance(3_600_000);
    monotonic.nowMs += 999;
    expect(await admitted(burst(account.token, 20))).toBe(0);
    monotonic.nowMs += 1;
    expect(await admitted(burst(account.token, 120))).toBe(100);
  });

  it('counts requests that are refused later (400, 404, 413, 415), and a batch as one; not the reading routes', async () => {
    const { token } = account;
    await gateway.record('{', { token });
    await gateway.record({ tool_id: 'unknown-tool' }, { token });
    await gateway.record('x', { token, headers: { 'content-type': 'text/plain' } });
    await gateway.record(`"${'x'.repeat(70_000)}"`, { token });
    const read = await gateway.send('GET', '/v1/events', { token });
    const body = { events: [{ tool_id: toolId }, { tool_id: toolId }] };
    const batch = await gateway.send('POST', '/v1/events/batch', { token, body });
    expect(batch.headers.get('x-ratelimit-remaining')).toBe('95');
    expect(read.headers.get('x-ratelimit-remaining')).toBeNull();
  });

  it('has a bucket for each key, and one for all tokens of an account', async () => {
    const issueToken = await openTokenIssuer(gateway);
    const { accountId, token } = account;
    const second = await gateway.newKey(accountId);
    expect(await admitted(burst(token, 110), burst(second, 110))).toBe(200);
    expect(await admitted(burst(issueToken(accountId), 80), burst(issueToken(accountId), 80))).toBe(100);
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
});

describe('F135 the events of a suspended account', () => {
  const gateway = useGateway();

  it('are refused within a second, singly and in batches, and taken again when it is resumed', async () => {
    const [account, other, toolId] = [await gateway.newAccount(), await gateway.newAccount(), await gateway.newTool()];
    const rows = createAuthRows(gateway.owner);
    const record = ({ token }: { token: string }) => gateway.record({ tool_id: toolId }, { token });
    expect(await record(account)).toMatchObject({ status: 201 });
    await rows.suspend(account.accountId);
    await eventually(async () => (await record(account)).status === 403, { withinMs: 1_000 });
    const before = (await gateway.appended()).length;
    expect(await record(account)).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
    const batch = { token: account.token, body: { events: [{ tool_id: toolId }] } };
    expect(await gateway.send('POST', '/v1/events/batch', batch)).toMatchObject({ status: 403 });
    expect(await gateway.appended()).toHaveLength(before);
    expect(await record(other)).toMatchObject({ status: 201 });
    await rows.resume(account.accountId);
    await eventually(async () => (await record(account)).status === 201, { withinMs: 1_000 });
  });

  it('are refused also where the request began before the suspension and its body came late', async () => {
    const [account, toolId] = [await gateway.newAccount(), await gateway.newTool()];
    const { token, accountId } = account;
    const begin = () =>
      beginSlowPost({ url: `http://127.0.0.1:${gateway.port}/v1/events`, token, body: { tool_id: toolId } });
    const [slow, slower] = [await begin(), await begin()];
    expect(await slow.finish()).toBe(201);
    await createAuthRows(gateway.owner).suspend(accountId);
    const record = () => gateway.record({ tool_id: toolId }, { token });
    await eventually(async () => (await record()).status === 403, { withinMs: 1_000 });
    await sleep(600); // a credential that was judged just now is not judged again
    expect(await slower.finish()).toBe(403);
  });
});
