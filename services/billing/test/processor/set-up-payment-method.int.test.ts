import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { askSetup, type AskedSetup } from '../support/set-up-card.ts';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

const path = '/v1/billing/payment-method';

describe('POST /v1/billing/payment-method: 200', () => {
  it('answers a link to a page here, for an hour', async () => {
    const asked = await askSetup(billing, await billing.newAccount());
    expect(asked.setup_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/sandbox\/card-setup\?token=[\w-]{43}$/);
    expect(Date.parse(asked.expires_at)).toBe(billing.clock.now() + 3_600_000);
  });

  it('F56 makes one customer of a consumer, however often and at once it asks', async () => {
    const consumer = await billing.newAccount();
    await Promise.all([1, 2, 3, 4, 5].map(() => askSetup(billing, consumer)));
    await billing.owner.query('delete from billing.processor_customer where account_id = $1', [consumer.accountId]);
    await askSetup(billing, consumer);
    const made = await billing.owner.query('select 1 from sandbox.customer where reference = $1', [consumer.accountId]);
    expect(made).toHaveLength(1);
  });

  it('answers the same Idempotency-Key with the same link', async () => {
    const request = {
      ...(await billing.newAccount()),
      headers: { 'idempotency-key': randomUUID() },
      body: { return_url: 'https://consumer.example' },
    };
    const first = await billing.send<AskedSetup>('POST', path, request);
    const again = await billing.send<AskedSetup>('POST', path, request);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('POST /v1/billing/payment-method: 400, 401', () => {
  it('refuses an address that is not to be returned to, and who is nobody', async () => {
    const consumer = await billing.newAccount();
    const refused = await billing.send('POST', path, { ...consumer, body: { return_url: 'http://example.com' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/return_url', code: 'invalid_scheme' }] },
    });
    expect(await billing.send('POST', path, { body: { return_url: 'https://example.com' } })).toMatchObject({
      status: 401,
    });
  });
});
