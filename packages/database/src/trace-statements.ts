import { SpanKind } from '@opentelemetry/api';
import { inSpan, recordingSpan, tracerOf, traceparentOf } from '@tollgate/telemetry/tracer';

export interface TraceStatements {
  /** Runs a statement, in a span of its own if it belongs to a trace. */
  run<Answer>(statement: string | { readonly name: string }, ask: () => Promise<Answer>): Promise<Answer>;
  /** The span in which this runs. Undefined: nobody follows its trace. */
  traceparent(): string | undefined;
}

/** Undefined: nobody traces. Spans have a statement's name and nothing of its values, which are the accounts'. */
export function createTraceStatements(): TraceStatements | undefined {
  const tracer = tracerOf('database');
  if (tracer === undefined) return undefined;
  return {
    async run(statement, ask) {
      if (recordingSpan() === undefined) return ask();
      const name = typeof statement === 'string' ? 'statement' : statement.name;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
      return inSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }), ask);
    },
    traceparent: () => traceparentOf(recordingSpan()),
  };
}
