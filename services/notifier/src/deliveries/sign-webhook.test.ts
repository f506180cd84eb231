import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '@tollgate/kernel/clock';
import { createWebhookSecret } from '../endpoints/webhook-secret.ts';
import { signWebhook } from './sign-webhook.ts';

const unsigned = { id: 'msg_1', atMs: systemClock.now(), body: '{"type":"invoice.paid","data":{"name":"Ärger €"}}' };

it('a signature is that of the library of Standard Webhooks', () => {
  const secret = createWebhookSecret();
  const { 'webhook-signature': signature } = signWebhook(unsigned, [secret]);
  expect(signature).toBe(new Webhook(secret).sign(unsigned.id, new Date(unsigned.atMs), unsigned.body));
});

interface Vector {
  readonly name: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly signedBy: readonly string[];
  readonly code: string | null;
}
const vectorFile = new URL('../../../../packages/sdk/test/webhook-vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(vectorFile, 'utf8')) as { vectors: Vector[] };

it.each(vectors.filter(({ code }) => code === null))(
  'the headers are those that the clients for JavaScript and Python accept: $name',
  ({ body, headers, signedBy }) => {
    const id = headers['webhook-id'] ?? '';
    const atMs = Number(headers['webhook-timestamp']) * 1_000 + 999;
    expect(signWebhook({ id, atMs, body }, signedBy)).toEqual(headers);
  },
);

it('the library accepts what two secrets have signed by either, and refuses another', () => {
  const [first, second, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
  const headers = signWebhook(unsigned, [first, second]);
  for (const secret of [first, second]) expect(new Webhook(secret).verify(unsigned.body, headers)).toBeDefined();
  expect(() => new Webhook(other).verify(unsigned.body, headers)).toThrow('No matching signature found');
  expect(() => new Webhook(first).verify(`${unsigned.body} `, headers)).toThrow('No matching signature found');
});
