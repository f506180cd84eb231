import { ROOT_CONTEXT, SpanKind, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { usageEventOf } from '@tollgate/contracts/events/event-record';
import type { LogBatch, StoredRecord } from '@tollgate/event-log/event-log';
import { contextOf, inSpan, noteFailure, tracerOf } from '@tollgate/telemetry/tracer';

type ProcessBatch = (batch: LogBatch) => Promise<void>;

/**
 * Each event whose trace somebody follows gets a span in that trace, from the moment that its batch was read until it is counted.
 * The flush of the whole batch is one more span: its links lead to all of these, and theirs lead to it. Untraced: `process` itself.
 */
export function traceBatches(process: ProcessBatch): ProcessBatch {
  const tracer = tracerOf('counting');
  if (tracer === undefined) return process;
  return async function processTraced(batch) {
    const spans = startSpans(tracer, batch);
    const [first] = spans;
    if (first === undefined) return process(batch);
    const flush = startFlush(tracer, batch, { first, spans });
    for (const span of spans) span.addLink({ context: flush.spanContext() });
    try {
      await inSpan(flush, () => process(batch));
    } catch (error) {
      for (const span of spans) noteFailure(span, error);
      throw error;
    } finally {
      for (const span of spans) span.end();
    }
  };
}

/** Records of traces that are not sampled have no traceparent. */
function startSpans(tracer: Tracer, { topic, partition, records }: LogBatch): Span[] {
  return records.flatMap((record) => {
    const parent = contextOf(record.traceparent);
    if (parent === undefined) return [];
    const place = {
      'messaging.destination.partition.id': String(partition),
      'tollgate.log_offset': String(record.offset),
    };
    return [startProcess(tracer, { topic, parent, attributes: { ...place, ...eventOf(record) } })];
  });
}

interface Process {
  readonly topic: string;
  readonly parent: Context;
  readonly attributes: Readonly<Record<string, string>>;
}

function startProcess(tracer: Tracer, { topic, parent, attributes }: Process): Span {
  const messaging = {
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
  };
  return tracer.startSpan(
    `process ${topic}`,
    { kind: SpanKind.CONSUMER, attributes: { ...messaging, ...attributes } },
    parent,
  );
}

function eventOf(record: StoredRecord): Readonly<Record<string, string>> {
  const decoded = usageEventOf(record);
  if (!decoded.ok) return { 'error.type': decoded.code };
  return { event_id: decoded.record.event_id, 'gen_ai.tool.name': decoded.record.tool_id };
}

/** It belongs to the first event's trace: so it is sampled, as those are whom it serves. */
function startFlush(
  tracer: Tracer,
  { topic, partition, records }: LogBatch,
  { first, spans }: { readonly first: Span; readonly spans: readonly Span[] },
): Span {
  const attributes = {
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.batch.message_count': records.length,
  };
  const links = spans.map((span) => ({ context: span.spanContext() }));
  return tracer.startSpan(`flush ${topic}`, { attributes, links }, trace.setSpan(ROOT_CONTEXT, first));
}
