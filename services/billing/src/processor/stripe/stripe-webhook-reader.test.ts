import { expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import { signStripeWebhook } from '@tollgate/testkit/stripe-double/stripe-webhooks';
import { createStripeWebhookReader } from './stripe-webhook-reader.ts';

const secret = 'whsec_of_connected_accounts';
const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
clock.freeze(true);
const readNotice = createStripeWebhookReader({ secret: `whsec_of_the_platform,${secret}`, clock });

function read(event: object, signedWith = secret) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', ...event });
  const signature = signStripeWebhook(body, { secret: signedWith, seconds: Math.floor(clock.now() / 1_000) });
  return readNotice({ rawBody: Buffer.from(body), signature }).object;
}

it('F64 believes each of its secrets, and no other', () => {
  const event = { type: 'transfer.created', data: { object: { id: 'tr_1' } } };
  for (const known of ['whsec_of_the_platform', secret]) expect(read(event, known).id).toBe('tr_1');
  for (const unknown of ['whsec_of_somebody', `whsec_of_the_platform,${secret}`, ''])
    expect(() => read(event, unknown)).toThrow('no valid signature');
});

it.each([
  ['payment_intent.succeeded', { id: 'pi_1' }, { kind: 'charge', id: 'pi_1' }],
  ['payment_intent.payment_failed', { id: 'pi_1' }, { kind: 'charge', id: 'pi_1' }],
  ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'charge', id: 'pi_1' }],
  ['charge.refunded', { id: 'ch_1', payment_intent: { id: 'pi_1' } }, { kind: 'charge', id: 'pi_1' }],
  ['charge.updated', { id: 'ch_1', payment_intent: null }, { kind: 'other', id: 'evt_1' }],
  ['charge.refund.updated', { id: 're_1', payment_intent: 'pi_1' }, { kind: 'refund', id: 're_1' }],
  ['refund.failed', { id: 're_1' }, { kind: 'refund', id: 're_1' }],
  ['charge.dispute.closed', { id: 'du_1', payment_intent: 'pi_1' }, { kind: 'dispute', id: 'du_1' }],
  ['transfer.reversed', { id: 'tr_1' }, { kind: 'transfer', id: 'tr_1' }],
  ['customer.deleted', { id: 'cus_1' }, { kind: 'customer', id: 'cus_1' }],
  ['payment_method.attached', { id: 'pm_1', customer: 'cus_1' }, { kind: 'customer', id: 'cus_1' }],
  ['account.updated', { id: 'acct_1' }, { kind: 'account', id: 'acct_1' }],
  ['invoice.paid', { id: 'in_1' }, { kind: 'other', id: 'evt_1' }],
])('tells of %s where to look', (type, object, noticed) => {
  expect(read({ type, data: { object } })).toEqual(noticed);
});

it.each([
  ['account.application.deauthorized', { id: 'ca_1', object: 'application' }, { kind: 'account', id: 'acct_1' }],
  ['capability.updated', { id: 'transfers', account: 'acct_1' }, { kind: 'account', id: 'acct_1' }],
  ['payment_intent.succeeded', { id: 'pi_of_theirs' }, { kind: 'other', id: 'evt_1' }],
  ['customer.deleted', { id: 'cus_of_theirs' }, { kind: 'other', id: 'evt_1' }],
])('of a connected account, follows %s no further than the account', (type, object, noticed) => {
  expect(read({ type, account: 'acct_1', data: { object } })).toEqual(noticed);
});
