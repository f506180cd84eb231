import { WebhookError } from './webhook-error.ts';

/** The headers of a request, as `fetch` handlers or Node have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The content of a webhook. It comes at least once: drop the ids that you have seen, which are in the header
 * `webhook-id`.
 */
export interface WebhookEvent {
  readonly type: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: unknown;
}

export interface Delivery {
  /** As it was received: a body that was parsed and printed again has other bytes. */
  readonly body: string | Uint8Array;
  readonly headers: WebhookHeaders;
}

const toleranceSeconds = 300;

/** Checks a delivery against the signature of Standard Webhooks, and parses it. Rejects with a `WebhookError`. */
export async function verifyWebhook(
  { body, headers }: Delivery,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): Promise<WebhookEvent> {
  const key = await toKey(secret);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  checkTime(timestamp, nowMs);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, { key, signatures }))) {
    const detail = 'no signature in `webhook-signature` fits this body and this secret';
    throw new WebhookError('no_signature_matches', detail);
  }
  return parse(bytes);
}

async function toKey(secret: string) {
  const [, text] = /^whsec_(.+)$/.exec(secret) ?? [];
  const bytes = text === undefined ? undefined : fromBase64(text);
  if (bytes === undefined)
    throw new WebhookError('secret_invalid', 'the secret must be `whsec_` and then base64, as Tollgate showed it');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name);
  if (value === null || value === undefined || value === '')
    throw new WebhookError('header_missing', `there is no header \`${name}\``);
  return value;
}

/** Node has lower-case names; others have them as they were sent. */
function findHeader(headers: object, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : undefined;
}

function checkTime(timestamp: string, nowMs: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('header_invalid', '`webhook-timestamp` must be whole seconds since 1970');
  const ageSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
  const bound = `and at most ${toleranceSeconds} are allowed: is the clock right?`;
  if (ageSeconds > toleranceSeconds) throw new WebhookError('too_old', `it was sent ${ageSeconds} s ago, ${bound}`);
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookError('too_new', `it was sent ${-ageSeconds} s ahead of this clock, ${bound}`);
}

type Key = Awaited<ReturnType<typeof toKey>>;

/** While a secret is replaced there are two signatures. The platform compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  { key, signatures }: { readonly key: Key; readonly signatures: string },
): Promise<boolean> {
  for (const versioned of signatures.split(' ')) {
    const [version, text = ''] = versioned.split(',');
    const signature = version === 'v1' ? fromBase64(text) : undefined;
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent; // Tollgate signed it
  } catch (error) {
    throw new WebhookError('body_invalid', 'the body is signed, but it is not JSON', { cause: error });
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
