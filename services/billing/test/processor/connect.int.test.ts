import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { onboard, readAccount, type AskedLink } from '../support/connect-builder.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

beforeAll(async () => {
  builder = await billing.newAccount();
});

const connect = (body: unknown, headers: Record<string, string> = {}, account: TestAccount = builder) =>
  billing.send<AskedLink>('POST', '/v1/billing/connect', { ...account, headers, body });

const body = { return_url: 'https://builder.example/back' };

const accountsAtProcessor = async (accountId: string) =>
  billing.owner.query<{ account_id: string }>('select account_id from sandbox.account where reference = $1', [
    accountId,
  ]);

describe('POST /v1/billing/connect: 200', () => {
  it('answers a link to a page here, for an hour', async () => {
    const answer = await connect(body);
    expect(answer.status).toBe(200);
    expect(answer.body.connect_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/sandbox\/onboarding\?token=[\w-]{43}$/);
    expect(Date.parse(answer.body.expires_at)).toBe(billing.clock.now() + 3_600_000);
  });

  it('answers a new link to the same account when asked again, also by many at once', async () => {
    const account = await billing.newAccount();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => connect(body, {}, account)));
    expect(new Set(answers.map((answer) => answer.body.connect_url)).size).toBe(5);
    expect(await accountsAtProcessor(account.accountId)).toHaveLength(1);
  });

  it('F56 finds the account that the processor made, where its id was never noted', async () => {
    const account = await billing.newAccount();
    await connect(body, {}, account);
    const before = await accountsAtProcessor(account.accountId);
    await billing.owner.query('delete from billing.connected_account where account_id = $1', [account.accountId]);
    await connect(body, {}, account);
    expect(await accountsAtProcessor(account.accountId)).toEqual(before);
    expect(await onboard(billing, account, 'complete')).toMatchObject({ processor_account_id: before[0]?.account_id });
  });

  it('connects the same account again at once, where nothing is left to do at the processor', async () => {
    const account = await billing.newAccount();
    const first = await onboard(billing, account, 'complete');
    await billing.send('DELETE', '/v1/billing/connect', account);
    await connect(body, {}, account);
    expect(await readAccount(billing, account)).toEqual(first);
  });

  it.each(['connected', 'disconnected'])('makes one other account where the %s one is gone', async (state) => {
    const account = await billing.newAccount();
    const { processor_account_id: gone } = await onboard(billing, account, 'complete');
    if (state === 'disconnected') await billing.send('DELETE', '/v1/billing/connect', account);
    await billing.owner.query('delete from sandbox.account where account_id = $1', [gone]);
    const answers = await Promise.all([1, 2, 3].map(() => connect(body, {}, account)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [another, ...more] = await accountsAtProcessor(account.accountId);
    expect(more).toEqual([]);
    expect(await readAccount(billing, account)).toMatchObject({ processor_connected: false, payout_enabled: false });
    const replaced = { processor_account_id: another?.account_id, processor_connected: true, payout_enabled: true };
    expect(await onboard(billing, account, 'complete')).toMatchObject(replaced);
  });

  it('answers the same Idempotency-Key with the same link', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await connect(body, headers);
    const again = await connect(body, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('keeps of a link only the hash of its token', async () => {
    const { connect_url: url } = (await connect(body)).body;
    const token = new URL(url).searchParams.get('token') ?? '';
    const [{ rows } = { rows: '' }] = await billing.owner.query<{ rows: string }>(
      'select json_agg(link)::text as rows from sandbox.link',
    );
    expect(rows).toContain('builder.example');
    expect(rows).not.toContain(token);
  });

  it.each(['http://localhost:3000/a?b=c#d', 'http://127.0.0.1', 'http://[::1]:80/', 'HTTPS://EXAMPLE.com'])(
    'takes %s to return to',
    async (returnUrl) => {
      expect(await connect({ return_url: returnUrl })).toMatchObject({ status: 200 });
    },
  );
});

describe('POST /v1/billing/connect: 400', () => {
  it.each([
    'http://example.com',
    'https://user:secret@example.com',
    'javascript:alert(1)',
    'ftp://example.com',
    '/relative',
    '//example.com',
    'https:example.com',
    'https://example.com\\@evil.example',
    'https://exa mple.com',
    'https://a;script-src.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.nip.io',
    `https://example.com/${'a'.repeat(2_030)}`,
    `https://example.com/${'é'.repeat(600)}`,
    '',
    12,
    null,
  ])('refuses to return to %s', async (returnUrl) => {
    const refused = await connect({ return_url: returnUrl });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/return_url' }] });
  });
});

describe('POST /v1/billing/connect: 401, 415, 422', () => {
  it('refuses who is nobody, what is no JSON, and a key used with another body', async () => {
    expect(await billing.send('POST', '/v1/billing/connect', { body })).toMatchObject({ status: 401 });
    const text = { ...builder, headers: { 'content-type': 'text/plain' }, rawBody: 'please' };
    expect(await billing.send('POST', '/v1/billing/connect', text)).toMatchObject({ status: 415 });
    const headers = { 'idempotency-key': randomUUID() };
    await connect(body, headers);
    const other = await connect({ return_url: 'https://elsewhere.example' }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });
});
