import { createHmac, timingSafeEqual } from 'node:crypto';

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
export function readSignature(
  signature: string,
  { rawBody, secret }: Omit<SignedBytes, 'seconds'>,
): number | undefined {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  if (!match?.[1] || !match[2]) return undefined;
  const seconds = Number(match[1]);
  const isSigned = timingSafeEqual(digestOf({ rawBody, secret, seconds }), Buffer.from(match[2], 'hex'));
  return isSigned ? seconds : undefined;
}

function digestOf({ rawBody, secret, seconds }: SignedBytes): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
}
