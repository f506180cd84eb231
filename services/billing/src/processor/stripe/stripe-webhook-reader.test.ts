import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import { signStripeWebhook } from '@tollgate/testkit/stripe-double/stripe-webhooks';
import { createStripeWebhookReader } from './stripe-webhook-reader.ts';

const secret = 'whsec_of_connected_accounts';
const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'), { isFrozen: true });
const readNotice = createStripeWebhookReader({ secret: `whsec_of_the_platform,${secret}`, clock });

interface Sent {
  readonly signedWith?: string;
  readonly ageSeconds?: number;
  readonly tamper?: (body: string) => string;
}

function read(event: object, { signedWith = secret, ageSeconds = 0, tamper = (body) => body }: Sent = {}) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', created: 1_700_000_000, ...event });
  const seconds = Math.floor(clock.now() / 1_000) - ageSeconds;
  const signature = signStripeWebhook(body, { secret: signedWith, seconds });
  return readNotice({ rawBody: Buffer.from(tamper(body)), signature }).object;
}

const event = { type: 'transfer.created', data: { object: { id: 'tr_1' } } };
const refused = 'no valid signature';

it('F64 believes each of its secrets, and no other', () => {
  for (const signedWith of ['whsec_of_the_platform', secret]) expect(read(event, { signedWith }).id).toBe('tr_1');
  for (const signedWith of ['whsec_of_somebody', `whsec_of_the_platform,${secret}`, ''])
    expect(() => read(event, { signedWith })).toThrow(refused);
});

it('believes an event that is 300 s old', () => {
  expect(read(event, { ageSeconds: 300 }).id).toBe('tr_1');
});

it.each<[string, object, Sent]>([
  ['301 s old', event, { ageSeconds: 301 }],
  ['serialised again', event, { tamper: (body) => JSON.stringify(JSON.parse(body), null, 1) }],
  ['with another body', event, { tamper: (body) => body.replace('tr_1', 'tr_2') }],
  ['with an empty body', event, { tamper: () => '' }],
  ['signed, but no event', { id: undefined, hello: 'world' }, {}],
  ['signed, but of no time', { ...event, created: 'yesterday' }, {}],
  ['signed, but without an object', { ...event, data: null }, {}],
  ['signed, but of nothing', { ...event, data: { object: null } }, {}],
  ['signed, but a thin event', { object: 'v2.core.event', type: 'x' }, {}],
])('F64 refuses one %s', (_name, sent, how) => {
  expect(() => read(sent, how)).toThrow(refused);
});

it.each([undefined, 'v1=00', `t=1,v1=${'0'.repeat(64)}`, 't=,v1='])('F64 refuses the signature %s', (signature) => {
  expect(() => readNotice({ rawBody: Buffer.from('{}'), signature })).toThrow(refused);
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
  ['payout.failed', { id: 'po_1' }, { kind: 'own_payout', id: 'po_1' }],
  ['invoice.paid', { id: 'in_1' }, { kind: 'other', id: 'evt_1' }],
])('tells of %s where to look', (type, object, noticed) => {
  expect(read({ type, data: { object } })).toEqual(noticed);
});

it.each([
  ['account.application.deauthorized', { id: 'ca_1', object: 'application' }, { kind: 'account', id: 'acct_1' }],
  ['capability.updated', { id: 'transfers', account: 'acct_1' }, { kind: 'account', id: 'acct_1' }],
  ['payment_intent.succeeded', { id: 'pi_of_theirs' }, { kind: 'other', id: 'evt_1' }],
  ['payout.paid', { id: 'po_of_theirs' }, { kind: 'account', id: 'acct_1' }],
  ['customer.deleted', { id: 'cus_of_theirs' }, { kind: 'other', id: 'evt_1' }],
])('of a connected account, follows %s no further than the account', (type, object, noticed) => {
  expect(read({ type, account: 'acct_1', data: { object } })).toEqual(noticed);
});

it('follows every event that docs/stripe.md tells operators to send', () => {
  const page = readFileSync(new URL('../../../../../docs/stripe.md', import.meta.url), 'utf8');
  const typesOf = (endpoint: string) =>
    [...(new RegExp(`\\| ${endpoint} +\\|(.*)`).exec(page)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, type = '']) =>
      type.replace('*', 'created'),
    );
  const object = { id: 'x_1', customer: 'cus_1', account: 'acct_1', payment_intent: 'pi_1' };
  const kindsOf = (types: readonly string[], account?: string) =>
    types.map((type) => `${type} ${read({ type, account, data: { object } }).kind}`);
  const [ofUs, ofConnected] = [typesOf('your account'), typesOf('connected accounts')];
  expect([ofUs.length, ofConnected.length]).toEqual([14, 5]);
  for (const kind of [...kindsOf(ofUs), ...kindsOf(ofConnected, 'acct_1')]) expect(kind).not.toMatch(/ other$/);
});
