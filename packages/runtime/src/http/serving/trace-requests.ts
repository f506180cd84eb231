import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { contextOf as contextOfTraceparent, tracerOf } from '@tollgate/telemetry/tracer';
import { contextOf } from '../requests/request-context.ts';
import type { Messages, PlainExchange } from './plain-connections.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Takes a request whose trace nobody follows, or returns false. It is not called within the context, which is undefined: untraced. */
export type Line = (exchange: PlainExchange, context: Context | undefined) => boolean;

/** Answers each request within a span, which belongs to the trace that its `traceparent` names. */
export function traceRequests(answer: Answer): Answer {
  const tracer = tracerOf('http');
  if (tracer === undefined) return answer;
  return function answerTraced(request, response) {
    answerWithin(beginSpan(tracer, request), { request, response }, answer);
  };
}

/** The same for plain requests. Where nobody follows the trace, the span says just that, and the line sees the request first. */
export function tracePlain(line: Line, answer: Answer): (exchange: PlainExchange) => void {
  const tracer = tracerOf('http');
  if (tracer === undefined) {
    return function answerUntraced(exchange) {
      if (line(exchange, undefined)) return;
      const { request, response } = exchange.toMessages();
      answer(request, response);
    };
  }
  return function answerTraced(exchange) {
    const begun = beginSpan(tracer, exchange.request);
    if (begun.span.isRecording() || !line(exchange, begun.within)) answerWithin(begun, exchange.toMessages(), answer);
  };
}

interface Begun {
  readonly span: Span;
  readonly within: Context;
}

function beginSpan(tracer: Tracer, { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>): Begun {
  const traceparent = headers['traceparent'];
  const parent = contextOfTraceparent(typeof traceparent === 'string' ? traceparent : undefined) ?? ROOT_CONTEXT;
  const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  return { span, within: trace.setSpan(parent, span) };
}

function answerWithin({ span, within }: Begun, { request, response }: Messages, answer: Answer): void {
  if (span.isRecording()) endWith(request, response, span);
  context.with(within, answer, undefined, request, response);
}

function endWith(request: IncomingMessage, response: ServerResponse, span: Span): void {
  response.once('close', () => {
    const { route, path, requestId } = contextOf(request) ?? {};
    if (route !== undefined)
      span.updateName(`${request.method ?? ''} ${route.path}`).setAttribute('http.route', route.path);
    if (path !== undefined) span.setAttribute('url.path', path);
    if (requestId !== undefined) span.setAttribute('tollgate.request_id', requestId);
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}
