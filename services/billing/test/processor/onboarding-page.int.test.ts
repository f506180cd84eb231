import { beforeAll, describe, expect, it } from '@jest/globals';
import { askLink, readAccount, type AskedLink } from '../support/connect-builder.ts';
import { pressButton } from '../support/press-button.ts';
import { askSetup } from '../support/set-up-card.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;

beforeAll(async () => {
  builder = await billing.newAccount();
});

const show = (url: string) => billing.send('GET', url);
const press = (url: string, answer: string) => pressButton({ send: billing.send, url, answer });
const newUrl = async () => (await askLink(billing, builder)).connect_url;

async function urlReturningTo(returnUrl: string): Promise<string> {
  const asked = await billing.send<AskedLink>('POST', '/v1/billing/connect', {
    ...builder,
    body: { return_url: returnUrl },
  });
  return asked.body.connect_url;
}

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
    const pressed = await Promise.all(['complete', 'refuse', 'complete', 'later'].map((answer) => press(url, answer)));
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
