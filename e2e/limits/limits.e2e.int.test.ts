import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { HttpAnswer, HttpClient } from '@tollgate/testkit/http-client';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';

/** One per second with a burst of 30; an address may do five times as much. */
const env = {
  TRUSTED_PROXIES: '127.0.0.1',
  READS_PER_SECOND_MAX: '1',
  WRITES_PER_SECOND_MAX: '1',
  EXPORTS_PER_SECOND_MAX: '1',
};
const triesMax = 2_000; // as many seconds, if the product kept to its limit without a refusal

const reads = ['/v1/auth/me', '/v1/api-keys', '/v1/events', '/v1/tools', '/v1/usage', '/v1/billing/account'];

describe('F138 a flood of requests', () => {
  const it = itWith(async (undo) => ({ client: (await openProduct({ name: 'limits', env }, undo)).client }));

  it('of one account to any service is answered 429, and others are answered as before', async ({ client }) => {
    for (const path of reads) {
      const [flooder, bystander] = [await signUp(client), await signUp(client)];
      expectRefusal(await untilRefused(() => flooder.ask('GET', path)));
      expect([path, (await bystander.ask('GET', path)).status]).toEqual([path, 200]);
    }
  });

  it('of writes, or of exports, leaves the reads of the account alone', async ({ client }) => {
    const floods = [
      ['POST', '/v1/tools', {}],
      ['POST', '/v1/auth/password', {}],
      ['DELETE', `/v1/api-keys/${randomUUID()}`, undefined],
      ['GET', `/v1/billing/invoices/${randomUUID()}.pdf`, undefined],
    ] as const;
    for (const [method, path, body] of floods) {
      const flooder = await signUp(client);
      expectRefusal(await untilRefused(() => flooder.ask(method, path, body)));
      expect((await flooder.ask('GET', '/v1/tools')).status).toBe(200);
    }
  });

  it('without a credential is refused by its address, and other addresses are answered', async ({ client }) => {
    const from = (address: string, path: string) => client('GET', path, { headers: { 'x-forwarded-for': address } });
    for (const path of reads) {
      const address = `203.0.113.${reads.indexOf(path)}`;
      expectRefusal(await untilRefused(() => from(address, path)));
      expect((await from('198.51.100.1', path)).status).toBe(401);
    }
  });

  it('never touches the limit of recording events, which has its own', async ({ client }) => {
    const { ask } = await signUp(client);
    for (let count = 0; count < 60; count += 1) expect((await ask('POST', '/v1/events', {})).status).toBe(400);
  });
});

describe('the default limits', () => {
  const it = itWith(async (undo) => ({ client: (await openProduct({ name: 'default-limits' }, undo)).client }));

  it('refuse no program that asks one thing after the other, for 400 writes and 1,500 reads', async ({ client }) => {
    const { ask } = await signUp(client);
    const refused: HttpAnswer<unknown>[] = [];
    const note = async (answer: Promise<HttpAnswer<unknown>>): Promise<void> => {
      if ((await answer).status === 429) refused.push(await answer);
    };
    for (let count = 0; count < 400; count += 1) await note(ask('DELETE', `/v1/api-keys/${randomUUID()}`));
    for (let count = 0; count < 1_500; count += 1) await note(ask('GET', '/v1/auth/me'));
    expect(refused).toEqual([]);
  }, 120_000);
});

let addresses = 0;

/** An account that asks from an address of its own. */
async function signUp(client: HttpClient) {
  addresses += 1;
  const headers = { 'x-forwarded-for': `192.0.2.${addresses}` };
  const body = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const { access_token: token } = (
    await client<{ access_token: string }>('POST', '/v1/auth/register', { body, headers })
  ).body;
  const ask = (method: string, path: string, sent?: object): Promise<HttpAnswer<unknown>> =>
    client<unknown>(method, path, { token, headers, ...(sent && { body: sent }) });
  return { ask };
}

async function untilRefused(ask: () => Promise<HttpAnswer<unknown>>): Promise<HttpAnswer<unknown>> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await ask();
    if (answer.status === 429) return answer;
  }
  throw new Error(`none of ${triesMax} requests was refused`);
}

function expectRefusal({ headers, body }: HttpAnswer<unknown>): void {
  expect(body).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}
