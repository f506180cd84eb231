import { randomBytes } from 'node:crypto';
import type { SealedBox } from '@tollgate/kernel/sealed-box';

const bytes = 32;

/** A new secret, in the form of Standard Webhooks: `whsec_` and base64. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(bytes).toString('base64')}`;
}

/** The secret of this endpoint, as the database keeps it. */
export function sealSecret(box: SealedBox, endpointId: string, secret: string): Buffer {
  return box.seal(secret, endpointId);
}

/** Throws if it was sealed with another WEBHOOK_ENCRYPTION_SECRET. */
export function openSecret(box: SealedBox, endpointId: string, sealed: Uint8Array): string {
  const secret = box.open(sealed, endpointId);
  if (secret === undefined)
    throw new Error(`the secret of webhook endpoint ${endpointId} was sealed with another WEBHOOK_ENCRYPTION_SECRET`);
  return secret;
}
