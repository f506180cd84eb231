import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api';
import { contextOf, tracerOf, traceparentOf } from '@tollgate/telemetry/tracer';
import type { SendWebhook, Try } from './send-webhook.ts';
import type { Claimed } from './sql-claim-deliveries.ts';

/**
 * Sends each webhook within a span, which belongs to the trace that caused what it tells. The receiver gets this span in its
 * `traceparent`. Where nobody traces, it gets that of the cause.
 */
export function traceWebhooks(send: SendWebhook): SendWebhook {
  const tracer = tracerOf('webhooks');
  if (tracer === undefined) return send;
  return async function sendTraced(claimed, stopping) {
    const parent = contextOf(claimed.traceparent ?? undefined) ?? ROOT_CONTEXT;
    const options = { kind: SpanKind.CLIENT, attributes: attributesOf(claimed) };
    const span = tracer.startSpan('POST', options, parent);
    try {
      return await send({ ...claimed, traceparent: traceparentOf(span) ?? null }, stopping).then((made) =>
        note(span, made),
      );
    } finally {
      span.end();
    }
  };
}

/** The address may have a secret in its path: its host alone is shown. */
function attributesOf({ eventId, type, attempt, url }: Claimed) {
  return {
    'http.request.method': 'POST',
    'server.address': new URL(url).host,
    'http.request.resend_count': attempt - 1,
    'tollgate.webhook.event_id': eventId,
    'tollgate.webhook.type': type,
  };
}

function note(span: Span, made: Try): Try {
  if (made.status !== null) span.setAttribute('http.response.status_code', made.status);
  if (made.error !== null) {
    span.setAttribute('error.type', made.status === null ? '_OTHER' : String(made.status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  return made;
}
