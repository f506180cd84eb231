import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AskedLink, askLink, onboard, readAccount } from '../support/connect-builder.ts';
import { pressButton } from '@tollgate/testkit/press-button';
import { type TestAccount, useBilling } from '../support/start-billing.ts';
import { askSetup, setUpCard } from '../support/set-up-card.ts';

const billing = useBilling();

const atProcessor = (accountId: string) =>
  billing.owner.query<{ account_id: string; payouts_enabled: boolean }>(
    'select account_id, payouts_enabled from sandbox.account where reference = $1',
    [accountId],
  );
let builder: TestAccount;

const show = (url: string) => billing.send('GET', url);
const newUrl = async () => (await askLink(billing, builder)).connect_url;

async function urlReturningTo(returnUrl: string): Promise<string> {
  const asked = await billing.send<AskedLink>('POST', '/v1/billing/connect', {
    ...builder,
    body: { return_url: returnUrl },
  });
  return asked.body.connect_url;
}

describe('payout account', () => {
  const path = '/v1/billing/connect';

  const disconnect = (account: TestAccount) => billing.send('DELETE', path, account);

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
      expect(await onboard(billing, builder, 'complete')).toMatchObject({
        processor_account_id: before[0]?.account_id,
      });
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

  describe.each(['/v1/billing/payment-method', '/v1/billing/payment-method'])('POST %s', (asked) => {
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
});

describe('onboarding page', () => {
  beforeAll(async () => {
    builder = await billing.newAccount();
  });
  const press = (url: string, answer: string) => pressButton({ send: billing.send, url, answer });

  describe('GET /v1/sandbox/onboarding: 200', () => {
    it('shows the buttons, as often as one looks', async () => {
      const url = await newUrl();
      for (const time of [1, 2]) {
        const page = await show(url);
        expect([time, page.status, page.headers.get('content-type')]).toEqual([time, 200, 'text/html; charset=utf-8']);
        for (const answer of ['complete', 'refuse', 'later']) expect(page.text).toContain(`value="${answer}"`);
        expect(page.text).toContain('builder.example');
      }
    });

    it('runs no script, loads nothing, is framed by nobody, and leads only here and back', async () => {
      const { headers, text } = await show(await newUrl());
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/builder\.example; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).not.toMatch(/<script|\son\w+=|(?:src|href)=/);
    });

    it('shows an address for what it is, markup or not', async () => {
      const page = await show(await urlReturningTo('https://builder.example/"><img src=x>'));
      expect(page.text).not.toContain('<img');
    });
  });

  describe('POST /v1/sandbox/onboarding: 303', () => {
    it.each(['complete', 'refuse', 'later'])('goes back after %s, to the address of the link alone', async (answer) => {
      const back = await press(
        `${await urlReturningTo('https://builder.example/a?b=1')}&return_url=https://evil.example`,
        answer,
      );
      expect([back.status, back.headers.get('location')]).toEqual([303, 'https://builder.example/a?b=1']);
    });
  });

  describe('POST /v1/sandbox/onboarding: 404', () => {
    it('lets one of many presses through, and then nobody', async () => {
      const url = await newUrl();
      const pressed = await Promise.all(
        ['complete', 'refuse', 'complete', 'later'].map((answer) => press(url, answer)),
      );
      expect(pressed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404, 404, 404]);
      expect((await show(url)).status).toBe(404);
    });

    it('ends with the hour', async () => {
      const url = await newUrl();
      billing.clock.advance(3_599_999);
      expect((await show(url)).status).toBe(200);
      billing.clock.advance(1);
      expect((await show(url)).status).toBe(404);
      expect((await press(url, 'complete')).status).toBe(404);
    });

    it('knows no token that it did not give out, for this page, and says so to people', async () => {
      const { setup_url: other } = await askSetup(billing, builder);
      const account = await billing.newAccount();
      const tokens = ['guess', new URL(other).searchParams.get('token') ?? ''];
      for (const token of tokens) {
        const url = `http://sandbox/v1/sandbox/onboarding?token=${token}`;
        const page = await press(url, 'complete');
        expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        expect((await show(new URL(url).pathname + new URL(url).search)).text).toContain('does not work');
      }
      expect(await readAccount(billing, account)).toMatchObject({ processor_connected: false });
    });
  });

  describe('/v1/sandbox/onboarding: 400, 413, 415', () => {
    const post = (type: string, rawBody: string) =>
      billing.send('POST', '/v1/sandbox/onboarding', { headers: { 'content-type': type }, rawBody });
    const form = 'application/x-www-form-urlencoded';

    it('refuses an answer that no button gives, a field twice, and no token', async () => {
      expect(await post(form, 'token=a&answer=maybe')).toMatchObject({ status: 400 });
      expect(await post(form, 'token=a&token=b&answer=later')).toMatchObject({ status: 400 });
      expect(await billing.send('GET', '/v1/sandbox/onboarding')).toMatchObject({ status: 400 });
    });

    it('refuses what is no form, and too much of one', async () => {
      expect(await post('application/json', '{}')).toMatchObject({ status: 415 });
      expect(await post(form, `token=${'a'.repeat(5_000)}`)).toMatchObject({ status: 413 });
    });
  });
});

describe('GET, POST and DELETE /v1/billing/payment-method', () => {
  const path = '/v1/billing/payment-method';

  const find = (account: TestAccount) => billing.send('GET', path, account);
  const remove = (account: TestAccount) => billing.send('DELETE', path, account);

  async function press(account: TestAccount, fields: { answer: string; card?: string }) {
    return pressButton({ send: billing.send, url: (await askSetup(billing, account)).setup_url, ...fields });
  }

  it('show the card that was set up last until it is removed', async () => {
    const [consumer, other] = [await billing.newAccount(), await billing.newAccount()];
    const none = { status: 404, body: { code: 'not_found' } };
    const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2029 };

    // None yet
    expect(await find(consumer)).toMatchObject(none);
    expect(await remove(consumer)).toMatchObject({ status: 204 });

    // The newest takes the place of the one before; a card that will be declined is as good as any
    await setUpCard(billing, consumer, 'declined');
    expect(await find(consumer)).toMatchObject({ status: 200, body: { ...visa, last4: '0341' } });
    await setUpCard(billing, consumer, 'visa');
    expect(await find(consumer)).toMatchObject({ status: 200, body: visa });

    // A set-up that ends without a card changes nothing
    for (const answer of ['refuse', 'later']) {
      const back = await press(consumer, { answer });
      expect([back.status, back.headers.get('location')]).toEqual([303, 'https://consumer.example/back']);
    }
    expect(await find(consumer)).toMatchObject({ body: visa });

    // Another account neither sees it nor removes it
    expect(await find(other)).toMatchObject(none);
    expect(await remove(other)).toMatchObject({ status: 204 });
    expect(await find(consumer)).toMatchObject({ body: visa });

    // Removed here and at the processor, as often as it is asked for; then another can be set up
    for (const _time of [1, 2]) expect(await remove(consumer)).toMatchObject({ status: 204, text: '' });
    expect(await find(consumer)).toMatchObject(none);
    const atProcessor = 'select payment_method_id from sandbox.customer where reference = $1';
    expect(await billing.owner.query(atProcessor, [consumer.accountId])).toEqual([{ payment_method_id: null }]);
    await setUpCard(billing, consumer, 'mastercard');
  });

  it('answer a link to a page here, for an hour', async () => {
    const asked = await askSetup(billing, await billing.newAccount());
    expect(asked.setup_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/sandbox\/card-setup\?token=[\w-]{43}$/);
    expect(Date.parse(asked.expires_at)).toBe(billing.clock.now() + 3_600_000);
    const { status, text } = await billing.send('GET', asked.setup_url);
    expect(status).toBe(200);
    for (const part of ['4242', '4444', '0341', 'value="complete"', 'value="refuse"', 'value="later"'])
      expect(text).toContain(part);
    expect(text).toContain('consumer.example');
  });

  it('F56 make one customer of a consumer, however often and at once it asks', async () => {
    const consumer = await billing.newAccount();
    await Promise.all([1, 2, 3, 4, 5].map(() => askSetup(billing, consumer)));
    await billing.owner.query('delete from billing.processor_customer where account_id = $1', [consumer.accountId]);
    await askSetup(billing, consumer);
    const made = await billing.owner.query('select 1 from sandbox.customer where reference = $1', [consumer.accountId]);
    expect(made).toHaveLength(1);
  });

  it('400: have no other cards', async () => {
    expect(await press(await billing.newAccount(), { answer: 'complete', card: 'gold' })).toMatchObject({
      status: 400,
    });
  });
});
