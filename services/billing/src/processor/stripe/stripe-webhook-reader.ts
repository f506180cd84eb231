import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import Stripe from 'stripe';
import type { NoticedObject, ReadNotice } from '../webhook-ports.ts';

export interface StripeWebhookReaderOptions {
  /**
   * The secrets of one or more endpoints at Stripe, separated by commas. Events of connected accounts come by an
   * endpoint of their own.
   */
  readonly secret: string;
  readonly clock: Clock;
}

const ageMaxSeconds = 300;

/**
 * Trusts only what a secret signed, and only the type and the id of the changed object (F64). The library checks the
 * signature, by our clock.
 */
export function createStripeWebhookReader({ secret, clock }: StripeWebhookReaderOptions): ReadNotice {
  const secrets = secret.split(',');

  return function readStripeWebhook({ rawBody, signature }) {
    if (signature === undefined) throw refused('no signature');
    const event = verify(Buffer.from(rawBody), signature);
    if (!isEvent(event)) throw refused('it is signed but is not an event');
    return { eventId: event.id, type: event.type, object: objectOf(event), createdAtMs: event.created * 1_000 };
  };

  function verify(rawBody: Buffer, signature: string): unknown {
    let reason = 'no secret';
    for (const each of secrets) {
      try {
        // The fifth argument would replace the cryptography; undefined keeps the library's.
        return Stripe.webhooks.constructEvent(rawBody, signature, each, ageMaxSeconds, undefined, clock.now());
      } catch (error) {
        reason = error instanceof Stripe.errors.StripeSignatureVerificationError ? error.message : 'not an event';
      }
    }
    throw refused(reason);
  }
}

function isEvent(value: unknown): value is Stripe.Event {
  if (!isObject(value) || !('id' in value) || !('type' in value) || !('created' in value)) return false;
  const { id, type, created } = value;
  if (!Number.isSafeInteger(created)) return false;
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

/** Kinds of objects that have events of their own, by the beginning of the type. Longer beginnings come first. */
const ownKinds = [
  ['charge.dispute.', 'dispute'],
  ['charge.refund.', 'refund'],
  ['refund.', 'refund'],
  ['transfer.', 'transfer'],
  ['payment_intent.', 'charge'],
  ['payout.', 'own_payout'], // payouts of connected accounts are above
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

/** Money in a connected account is its owner's. We follow the account, and whether its bank takes payouts. */
function ofConnectedAccount(event: Stripe.Event, account: string): NoticedObject {
  const { type } = event;
  const isOfAccount = type.startsWith('account.') || type.startsWith('payout.') || type === 'capability.updated';
  return isOfAccount ? { kind: 'account', id: account } : { kind: 'other', id: event.id };
}

function customerOf({ data }: Stripe.Event): string | undefined {
  const previous: object = data.previous_attributes ?? {}; // a detached payment method has no customer any more
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

/** The id of a reference: Stripe sends an id, or the whole object if the endpoint is set up so. */
function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference;
  if (!isObject(reference) || !('id' in reference)) return undefined;
  return typeof reference.id === 'string' ? reference.id : undefined;
}

/** The caller learns only that the webhook is refused. The reason goes to the log. */
function refused(reason: string): AppError {
  const options = { detail: { webhook: 'stripe', reason } };
  return new AppError('invalid_request', 'The webhook has no valid signature.', options);
}
