import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import Stripe from 'stripe';
import type { NoticedObject, ReadNotice } from '../webhook-ports.ts';

export interface StripeWebhookReaderOptions {
  /** Of several endpoints at Stripe, with commas between them: events of connected accounts come by one of their own. */
  readonly secret: string;
  readonly clock: Clock;
}

const ageMaxSeconds = 300;

/** Believes what a secret signed, and of it only what happened to what (F64). The check is the library's, by our clock. */
export function createStripeWebhookReader({ secret, clock }: StripeWebhookReaderOptions): ReadNotice {
  const secrets = secret.split(',');

  return function readStripeWebhook({ rawBody, signature }) {
    if (signature === undefined) throw refused('no signature');
    const event = verify(Buffer.from(rawBody), signature);
    if (!isEvent(event)) throw refused('it is signed, but no event');
    return { eventId: event.id, type: event.type, object: objectOf(event) };
  };

  function verify(rawBody: Buffer, signature: string): unknown {
    let reason = 'no secret';
    for (const each of secrets) {
      try {
        // Its fifth argument is another implementation of the same cryptography.
        return Stripe.webhooks.constructEvent(rawBody, signature, each, ageMaxSeconds, undefined, clock.now());
      } catch (error) {
        reason = error instanceof Stripe.errors.StripeSignatureVerificationError ? error.message : 'no event';
      }
    }
    throw refused(reason);
  }
}

function isEvent(value: unknown): value is Stripe.Event {
  if (!isObject(value) || !('id' in value) || !('type' in value)) return false;
  const { id, type } = value;
  if (![id, type].every((field) => typeof field === 'string' && /^[\x21-\x7e]{1,255}$/.test(field))) return false;
  return 'data' in value && isObject(value.data) && isObject(fieldOf(value.data, 'object'));
}

const customerTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'payment_method.attached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'payment_method.detached',
]);

/** Of objects that are told of themselves, by how the type begins; the longer beginning first. */
const ownKinds = [
  ['charge.dispute.', 'dispute'],
  ['charge.refund.', 'refund'],
  ['refund.', 'refund'],
  ['transfer.', 'transfer'],
  ['payment_intent.', 'charge'],
] as const;

function objectOf(event: Stripe.Event): NoticedObject {
  if (event.account !== undefined) return ofConnectedAccount(event, event.account);
  const object: object = event.data.object;
  const { type } = event;
  if (type === 'account.updated') return noticed('account', idOf(object), event);
  if (type === 'capability.updated') return noticed('account', idOf(fieldOf(object, 'account')), event);
  if (type === 'customer.deleted') return noticed('customer', idOf(object), event);
  if (customerTypes.has(type)) return noticed('customer', customerOf(event), event);
  const [, kind] = ownKinds.find(([beginning]) => type.startsWith(beginning)) ?? [];
  if (kind) return noticed(kind, idOf(object), event);
  if (type.startsWith('charge.')) return noticed('charge', idOf(fieldOf(object, 'payment_intent')), event);
  return { kind: 'other', id: event.id };
}

/** What moves in an account of somebody else's is not ours to follow; what becomes of the account is. */
function ofConnectedAccount(event: Stripe.Event, account: string): NoticedObject {
  const isOfAccount = event.type.startsWith('account.') || event.type === 'capability.updated';
  return isOfAccount ? { kind: 'account', id: account } : { kind: 'other', id: event.id };
}

function customerOf({ data }: Stripe.Event): string | undefined {
  const previous: object = data.previous_attributes ?? {}; // a detached payment method is nobody's any more
  return idOf(fieldOf(data.object, 'customer')) ?? idOf(fieldOf(previous, 'customer'));
}

function noticed(kind: NoticedObject['kind'], id: string | undefined, event: Stripe.Event): NoticedObject {
  return id === undefined ? { kind: 'other', id: event.id } : { kind, id };
}

function fieldOf(object: object, name: string): unknown {
  return Object.entries(object).find(([key]) => key === name)?.[1];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Objects are told by id, or whole where the endpoint was set up to. */
function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference;
  if (!isObject(reference) || !('id' in reference)) return undefined;
  return typeof reference.id === 'string' ? reference.id : undefined;
}

/** The caller is told that it failed; why, is for those who may read the log. */
function refused(reason: string): AppError {
  const options = { detail: { webhook: 'stripe', reason } };
  return new AppError('invalid_request', 'The webhook is not signed as it should be.', options);
}
