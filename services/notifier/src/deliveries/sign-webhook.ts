import { createHmac } from 'node:crypto';

export interface Unsigned {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
}

/** The headers of Standard Webhooks, with a signature by each secret. `atMs` is cut to the second. */
export function signWebhook({ id, atMs, body }: Unsigned, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
