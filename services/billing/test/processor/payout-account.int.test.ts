import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { askLink, onboard, readAccount, type AskedLink } from '../support/connect-builder.ts';
import { pressButton } from '../support/press-button.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const path = '/v1/billing/connect';
const billing = useBilling();

const disconnect = (account: TestAccount) => billing.send('DELETE', path, account);
const atProcessor = (accountId: string) =>
  billing.owner.query<{ account_id: string; payouts_enabled: boolean }>(
    'select account_id, payouts_enabled from sandbox.account where reference = $1',
    [accountId],
  );

describe('GET /v1/billing/account, POST and DELETE /v1/billing/connect', () => {
  it('F51 connect a builder, follow what the processor grants, and disconnect', async () => {
    const [builder, other] = [await billing.newAccount(), await billing.newAccount()];
    const nothing = {
      processor_connected: false,
      processor_account_id: null,
      payout_enabled: false,
      pending_balance_usd: 0,
      requirements: [],
      disabled_reason: null,
      bank_failure: null,
    };

    // A link alone connects nobody, nor does one that was put off
    expect(await readAccount(billing, builder)).toEqual(nothing);
    const { connect_url: url } = await askLink(billing, builder);
    expect(await readAccount(billing, builder)).toEqual(nothing);
    await pressButton({ send: billing.send, url, answer: 'later' });
    expect(await readAccount(billing, builder)).toEqual(nothing);

    // The capability comes, goes and comes again; the account stays the same
    const connected = await onboard(billing, builder, 'complete');
    expect(connected).toMatchObject({ processor_connected: true, payout_enabled: true, pending_balance_usd: 0 });
    expect(connected.processor_account_id).toMatch(/^acct_sandbox_\w{16}$/);
    const refused = { ...connected, payout_enabled: false, disabled_reason: 'rejected.other' };
    expect(await onboard(billing, builder, 'refuse')).toEqual(refused);
    expect(await onboard(billing, builder, 'complete')).toEqual(connected);

    // Another account, connected or not, disconnects nobody else
    expect(await disconnect(other)).toMatchObject({ status: 204 });
    expect(await readAccount(billing, builder)).toEqual(connected);

    // Disconnected as often as it is asked for; the account stays at the processor, and is connected again at once
    for (const _time of [1, 2]) expect(await disconnect(builder)).toMatchObject({ status: 204, text: '' });
    expect(await readAccount(billing, builder)).toEqual(nothing);
    expect(await atProcessor(builder.accountId)).toMatchObject([{ payouts_enabled: true }]);
    await askLink(billing, builder);
    expect(await readAccount(billing, builder)).toEqual(connected);
  });

  it('answer a link to a page here, for an hour, and keep only the hash of its token', async () => {
    const { connect_url: url, expires_at: expiresAt } = await askLink(billing, await billing.newAccount());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/sandbox\/onboarding\?token=[\w-]{43}$/);
    expect(Date.parse(expiresAt)).toBe(billing.clock.now() + 3_600_000);
    const [{ rows } = { rows: '' }] = await billing.owner.query<{ rows: string }>(
      'select json_agg(link)::text as rows from sandbox.link',
    );
    expect(rows).toContain('builder.example');
    expect(rows).not.toContain(new URL(url).searchParams.get('token'));
  });

  it('make one account, however many ask at once, each for a link of its own', async () => {
    const builder = await billing.newAccount();
    const links = await Promise.all([1, 2, 3, 4, 5].map(() => askLink(billing, builder)));
    expect(new Set(links.map(({ connect_url: url }) => url)).size).toBe(5);
    expect(await atProcessor(builder.accountId)).toHaveLength(1);
  });

  it('F56 find the account that the processor made, where its id was never noted', async () => {
    const builder = await billing.newAccount();
    await askLink(billing, builder);
    const before = await atProcessor(builder.accountId);
    await billing.owner.query('delete from billing.connected_account where account_id = $1', [builder.accountId]);
    expect(await onboard(billing, builder, 'complete')).toMatchObject({ processor_account_id: before[0]?.account_id });
    expect(await atProcessor(builder.accountId)).toHaveLength(1);
  });

  it('POST /v1/billing/account/login-link: lead to the page of the account once it is connected', async () => {
    const builder = await billing.newAccount();
    const logIn = () => billing.send<{ login_url: string }>('POST', '/v1/billing/account/login-link', builder);
    expect(await logIn()).toMatchObject({ status: 404 });
    await onboard(billing, builder, 'complete');
    const { status, body } = await logIn();
    expect(status).toBe(200);
    await pressButton({ send: billing.send, url: body.login_url, answer: 'refuse' });
  });

  it('refuse a country that is none, and another one after onboarding', async () => {
    const builder = await billing.newAccount();
    const connect = (country: string) =>
      billing.send('POST', path, { ...builder, body: { return_url: 'https://anybody.example', country } });
    expect(await connect('Germany')).toMatchObject({ status: 400, body: { errors: [{ pointer: '/country' }] } });
    expect(await connect('DE')).toMatchObject({ status: 200 });
    expect(await connect('FR')).toMatchObject({ status: 200 }); // nothing is onboarded yet
    await onboard(billing, builder, 'complete');
    expect(await connect('FR')).toMatchObject({ status: 200 });
    expect(await connect('DE')).toMatchObject({ status: 409, body: { code: 'payout_country_fixed' } });
  });

  it.each(['connected', 'disconnected'])('make one other account where the %s one is gone', async (state) => {
    const builder = await billing.newAccount();
    const { processor_account_id: gone } = await onboard(billing, builder, 'complete');
    if (state === 'disconnected') await disconnect(builder);
    await billing.owner.query('delete from sandbox.account where account_id = $1', [gone]);
    await Promise.all([1, 2, 3].map(() => askLink(billing, builder)));
    const [another, ...more] = await atProcessor(builder.accountId);
    expect(more).toEqual([]);
    expect(await readAccount(billing, builder)).toMatchObject({ processor_connected: false, payout_enabled: false });
    const replaced = { processor_account_id: another?.account_id, processor_connected: true, payout_enabled: true };
    expect(await onboard(billing, builder, 'complete')).toMatchObject(replaced);
    const past = 'select processor_account_id from billing.past_payout_account where account_id = $1';
    expect(await billing.owner.query(past, [builder.accountId])).toEqual([{ processor_account_id: gone }]);
  });
});

describe.each([path, '/v1/billing/payment-method'])('POST %s', (asked) => {
  it('answers the same Idempotency-Key with the same link', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const request = { ...(await billing.newAccount()), headers, body: { return_url: 'https://anybody.example' } };
    const first = await billing.send<AskedLink>('POST', asked, request);
    const again = await billing.send<AskedLink>('POST', asked, request);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('400: refuses an address that is not to be returned to', async () => {
    const request = { ...(await billing.newAccount()), body: { return_url: 'http://example.com' } };
    const errors = [{ pointer: '/return_url', code: 'invalid_scheme' }];
    expect(await billing.send('POST', asked, request)).toMatchObject({ status: 400, body: { errors } });
  });
});
