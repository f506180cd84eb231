import {
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
  type Context,
  type ProxyTracerProvider,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceparent, toTraceparent } from '@tollgate/kernel/traceparent';

/**
 * Undefined: nobody traces in this process. Then callers make nothing for a span, so that an untraced event costs what it
 * did before. It is asked when a part is created, which is after the SDK was started.
 */
export function tracerOf(scope: string): Tracer | undefined {
  return (trace.getTracerProvider() as Partial<ProxyTracerProvider>).getDelegateTracer?.(`tollgate.${scope}`);
}

/** The context of a span elsewhere that caused something here. Undefined for a text that is no traceparent. */
export function contextOf(traceparent: string | undefined): Context | undefined {
  const parsed = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  return parsed && trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true });
}

/** Undefined: the trace is not sampled, so nobody follows it. */
export function traceparentOf(span: Span | undefined): string | undefined {
  const at = span?.spanContext();
  return at !== undefined && (at.traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED
    ? toTraceparent(at)
    : undefined;
}

/** The span in which this runs, if somebody will see it. */
export function recordingSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : undefined;
}

/** Runs work that outlives its caller, such as a loop that was woken: its spans are none of the caller's. */
export function outsideOfSpans<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

/** Runs the work within a span, and ends it with what came of it. */
export async function inSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Messages of errors may quote what callers sent, so a span has the error's kind alone; the log has the rest. */
export function noteFailure(span: Span, error: unknown): void {
  span.setAttribute('error.type', kindOf(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
