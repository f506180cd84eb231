import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import type { OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { OutgoingError } from '@tollgate/runtime/outgoing/outgoing-error';
import { openSecret } from '../endpoints/webhook-secret.ts';
import type { Sent } from './plan-outcome.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { signWebhook } from './sign-webhook.ts';
import type { Claimed } from './sql-claim-deliveries.ts';

export interface SendWebhookDeps {
  /** The guard: it calls no address that strangers must not reach. */
  readonly outgoingFetch: OutgoingFetch;
  readonly box: SealedBox;
  /** Receivers compare the time of a webhook with their own, so no sandbox moves it. */
  readonly realTime: Pick<Clock, 'now' | 'monotonicMs'>;
}

/** One try, as it is kept. */
export interface Try extends Sent {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The first KiB of the answer. */
  readonly answer: string | null;
}

/** Sends a webhook once. Rejects only if `stopping` ended it, or if its secret cannot be read. */
export type SendWebhook = (claimed: Claimed, stopping: AbortSignal) => Promise<Try>;

const keptBytes = 1_024;

export function createSendWebhook({ outgoingFetch, box, realTime }: SendWebhookDeps): SendWebhook {
  return async function sendWebhook(claimed, stopping) {
    const startedAtMs = realTime.now();
    const begunMs = realTime.monotonicMs();
    const { type, happenedAtMs, data } = claimed;
    const body = JSON.stringify({ type, timestamp: toIso(happenedAtMs), data });
    const trace = claimed.traceparent === null ? {} : { traceparent: claimed.traceparent };
    const signed = signWebhook({ id: claimed.eventId, atMs: startedAtMs, body }, secretsOf(claimed, startedAtMs));
    const headers = { 'content-type': 'application/json', 'user-agent': 'Tollgate-Webhooks', ...signed, ...trace };
    const sent = await call(claimed.url, { headers, body, stopping });
    return { ...sent, startedAtMs, durationMs: Math.round(realTime.monotonicMs() - begunMs) };
  };

  /** The secret, and the earlier one while its grace lasts. */
  function secretsOf({ endpointId, secret, oldSecret }: Claimed, nowMs: number): readonly string[] {
    const sealed = oldSecret && nowMs < oldSecret.untilMs ? [secret, oldSecret.sealed] : [secret];
    return sealed.map((each) => openSecret(box, endpointId, each));
  }

  async function call(url: string, { headers, body, stopping: signal }: Call): Promise<Sent & Pick<Try, 'answer'>> {
    try {
      const response = await outgoingFetch(url, { method: 'POST', headers, body, signal });
      const { status } = response;
      const answer = readable(await response.arrayBuffer());
      if (response.ok) return { status, error: null, retryAfterMs: null, answer };
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), realTime.now());
      return { status, error: refusalOf(status), retryAfterMs, answer };
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return { status: null, error: error.message, retryAfterMs: null, answer: null };
    }
  }
}

interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly stopping: AbortSignal;
}

function refusalOf(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `The answer was ${status}: redirects are not followed.` : `The answer was ${status}.`;
}

/** The beginning of an answer as text that PostgreSQL takes. */
function readable(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes.slice(0, keptBytes)).replaceAll('\0', '\uFFFD');
}
