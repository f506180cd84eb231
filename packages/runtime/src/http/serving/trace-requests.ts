import type { IncomingMessage, ServerResponse } from 'node:http';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import { contextOf as contextOfTraceparent, tracerOf } from '@tollgate/telemetry/tracer';
import { contextOf } from '../requests/request-context.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers each request within a span, which belongs to the trace that its `traceparent` names. Untraced: `answer` itself. */
export function traceRequests(answer: Answer): Answer {
  const tracer = tracerOf('http');
  if (tracer === undefined) return answer;
  return function answerTraced(request, response) {
    const { method = '', headers } = request;
    const traceparent = headers['traceparent'];
    const parent = contextOfTraceparent(typeof traceparent === 'string' ? traceparent : undefined) ?? ROOT_CONTEXT;
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      const { route, path, requestId } = contextOf(request) ?? {};
      if (route !== undefined) span.updateName(`${method} ${route.path}`).setAttribute('http.route', route.path);
      if (path !== undefined) span.setAttribute('url.path', path);
      if (requestId !== undefined) span.setAttribute('tollgate.request_id', requestId);
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), answer, undefined, request, response);
  };
}
