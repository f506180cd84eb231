import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { Webhook } from 'standardwebhooks';
import { Tollgate, WebhookError } from '../src/sdk.ts';
import { verifyWebhook } from '../src/webhooks/verify-webhook.ts';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The code of the error; null if the webhook is good. */
  readonly code: string | null;
  /** The secrets that signed `signedBody` with the id and the time of the headers. */
  readonly signedBy: readonly string[];
  readonly signedBody: string;
}

const file = new URL('webhook-vectors.json', import.meta.url);
const { nowSeconds, vectors } = JSON.parse(readFileSync(file, 'utf8')) as { nowSeconds: number; vectors: Vector[] };
const nowMs = nowSeconds * 1_000;
const good = vectors.filter(({ code }) => code === null);
const bad = vectors.filter(({ code }) => code !== null);

/** As the library of Standard Webhooks signs. */
function sign(secret: string, body: string, headers: Readonly<Record<string, string>>): string {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = headers;
  return new Webhook(secret).sign(id, new Date(Number(seconds) * 1_000), body);
}

describe('the signature of a webhook', () => {
  it.each(good)('is what the library of Standard Webhooks makes: $name', ({ signedBy, signedBody, headers }) => {
    const made = signedBy.map((secret) => sign(secret, signedBody, headers)).join(' ');
    expect(headers['webhook-signature']).toBe(made);
  });

  it.each(good)('is believed, and the payload returned: $name', async ({ body, headers, secret }) => {
    const payload = JSON.parse(body) as object;
    expect(await verifyWebhook({ body, headers }, { secret, nowMs })).toEqual(payload);
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ body: bytes, headers: new Headers(headers) }, { secret, nowMs })).toEqual(payload);
    const asSent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook({ body, headers: asSent }, { secret, nowMs })).toEqual(payload);
  });

  it.each(bad)('is refused, and the error says why: $name', async ({ body, headers, secret, code }) => {
    const refused = await verifyWebhook({ body, headers }, { secret, nowMs }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WebhookError);
    expect(refused).toMatchObject({ name: 'WebhookError', code, message: expect.stringContaining(`${code}: `) });
  });

  it('of a header that is missing names the header', async () => {
    const [{ body, headers, secret } = good[0] as Vector] = good;
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const others = { ...headers, [name]: undefined };
      await expect(verifyWebhook({ body, headers: others }, { secret, nowMs })).rejects.toThrow(`\`${name}\``);
    }
  });
});

it('a client without an API key verifies by the clock of the machine', async () => {
  const { webhooks } = new Tollgate();
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"type":"webhook.test","timestamp":"2026-11-25T20:00:00.000Z","data":{}}';
  const headersOf = (ageSeconds: number): Record<string, string> => {
    const seconds = Math.floor(systemClock.now() / 1_000) - ageSeconds;
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds) };
    return { ...headers, 'webhook-signature': sign(secret, body, headers) };
  };
  expect(await webhooks.verify(body, headersOf(0), secret)).toEqual(JSON.parse(body));
  await expect(webhooks.verify(body, headersOf(3_600), secret)).rejects.toMatchObject({ code: 'too_old' });
});
