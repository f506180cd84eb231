import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NoticedObject, ReadNotice } from '../webhook-ports.ts';

export interface SignedBytes {
  readonly rawBody: Uint8Array;
  readonly secret: string;
  readonly seconds: number;
}

/**
 * Signs a webhook as Stripe does: `t=<seconds>,v1=<hex>`. The time is signed with the body, so that nobody can send an
 * old webhook as new.
 */
export function signWebhook(signed: SignedBytes): string {
  return `t=${signed.seconds},v1=${digestOf(signed).toString('hex')}`;
}

/** Returns when the body was signed, in seconds. Undefined if it was not signed with this secret. */
function readSignature(signature: string, { rawBody, secret }: Omit<SignedBytes, 'seconds'>): number | undefined {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!match?.[1] || !match[2]) return undefined;
  const seconds = Number(match[1]);
  const isSigned = timingSafeEqual(digestOf({ rawBody, secret, seconds }), Buffer.from(match[2], 'hex'));
  return isSigned ? seconds : undefined;
}

function digestOf({ rawBody, secret, seconds }: SignedBytes): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
}

export interface SandboxWebhookReaderOptions {
  readonly secret: string;
  readonly clock: Clock;
}

/** An older webhook may have been recorded and sent again, or a clock is wrong in either direction. */
const ageMaxSeconds = 300;

const kindOfType: ReadonlyMap<string, NoticedObject['kind']> = new Map([
  ['account.updated', 'account'],
  ['setup.completed', 'customer'],
  ['setup.failed', 'customer'],
  ['charge.succeeded', 'charge'],
  ['charge.failed', 'charge'],
  ['refund.succeeded', 'refund'],
  ['refund.failed', 'refund'],
  ['transfer.succeeded', 'transfer'],
  ['transfer.failed', 'transfer'],
  ['transfer.reversed', 'transfer'],
  ['dispute.opened', 'dispute'],
  ['dispute.closed', 'dispute'],
  ['own_payout.made', 'own_payout'],
  ['own_payout.returned', 'own_payout'],
]);

/** Trusts only what the secret signed, and only the id and type of the object that changed (F64). */
export function createSandboxWebhookReader({ secret, clock }: SandboxWebhookReaderOptions): ReadNotice {
  return function readSandboxWebhook({ rawBody, signature }) {
    if (signature === undefined) throw refused('it has no signature');
    const signedAt = readSignature(signature, { rawBody, secret });
    if (signedAt === undefined) throw refused('the signature does not match');
    const ageSeconds = Math.floor(clock.now() / 1_000) - signedAt;
    if (Math.abs(ageSeconds) > ageMaxSeconds) throw refused(`it was signed ${ageSeconds} s ago`);
    const { id, type, created, object_id } = parse(rawBody);
    const object = { kind: kindOfType.get(type) ?? 'other', id: object_id };
    return { eventId: id, type, object, createdAtMs: created * 1_000 };
  };
}

interface Payload {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly object_id: string;
}

function parse(rawBody: Uint8Array): Payload {
  try {
    const payload: unknown = JSON.parse(Buffer.from(rawBody).toString('utf8'));
    if (isPayload(payload)) return payload;
  } catch {
    // no JSON: refused below
  }
  throw refused('it is signed but is not an event');
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, created, object_id } = value as Partial<Record<keyof Payload, unknown>>;
  if (!Number.isSafeInteger(created)) return false;
  return [id, type, object_id].every((field) => typeof field === 'string' && /^[\x21-\x7e]{1,255}$/.test(field));
}

/** The caller learns only that the webhook is refused. The reason goes to the log. */
function refused(reason: string): AppError {
  const options = { detail: { webhook: 'sandbox', reason } };
  return new AppError('invalid_request', 'The webhook has no valid signature.', options);
}
