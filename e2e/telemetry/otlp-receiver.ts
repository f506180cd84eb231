import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import { eventually } from '@tollgate/testkit/eventually';
import { serveHttp } from '@tollgate/testkit/http-server';
import type { Undo } from '../it-with.ts';
import { spansOf, type OtlpSpan, type OtlpTraces } from './otlp-spans.ts';

interface Decoder {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: { readonly longs: typeof String; readonly bytes: typeof String }): unknown;
}

interface Service {
  readonly v1: Readonly<Record<string, Decoder>>;
}

/** The messages of OTLP, as OpenTelemetry itself has generated them. */
const { collector } = (
  root as unknown as {
    readonly opentelemetry: { readonly proto: { readonly collector: Readonly<Record<'trace' | 'metrics', Service>> } };
  }
).opentelemetry.proto;

function decode(kind: 'trace' | 'metrics', message: string, bytes: Uint8Array): unknown {
  const decoder = collector[kind].v1[message];
  if (decoder === undefined) throw new Error(`OTLP has no ${message}`);
  return decoder.toObject(decoder.decode(bytes), { longs: String, bytes: String });
}

export interface OtlpMetrics {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics?: readonly { readonly metrics?: readonly OtlpMetric[] }[];
  }[];
}

export interface OtlpMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] };
}

export interface OtlpPoint {
  readonly asDouble: number;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

export interface OtlpReceiver {
  readonly baseUrl: string;
  /** All spans of a trace that have come so far. */
  spansOf(traceId: string): OtlpSpan[];
  /** Waits for a span of the trace with this name. */
  spanOf(traceId: string, name: string | RegExp): Promise<OtlpSpan>;
  /** The newest state of a metric. */
  metric(name: string): OtlpMetric | undefined;
  readonly spans: readonly OtlpSpan[];
}

/** A receiver of OTLP over HTTP in protobuf, as the specification has it: `/v1/traces` and `/v1/metrics`. */
export async function openOtlpReceiver(undo: Undo): Promise<OtlpReceiver> {
  const spans: OtlpSpan[] = [];
  let metrics: readonly OtlpMetric[] = [];
  const server = await serveHttp((request, response) => {
    void buffer(request).then((body) => {
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      if (request.url === '/v1/traces')
        spans.push(...spansOf(decode('trace', 'ExportTraceServiceRequest', bytes) as OtlpTraces));
      if (request.url === '/v1/metrics') {
        const sent = decode('metrics', 'ExportMetricsServiceRequest', bytes) as OtlpMetrics;
        metrics =
          sent.resourceMetrics
            ?.flatMap(({ scopeMetrics = [] }) => scopeMetrics)
            .flatMap((each) => each.metrics ?? []) ?? [];
      }
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  undo(() => server.close());
  const find = (traceId: string, name: string | RegExp) =>
    spans.find(
      (span) => span.traceId === traceId && (typeof name === 'string' ? span.name === name : name.test(span.name)),
    );
  return {
    baseUrl: server.baseUrl,
    spans,
    spansOf: (traceId) => spans.filter((span) => span.traceId === traceId),
    async spanOf(traceId, name) {
      await eventually(() => find(traceId, name) !== undefined, { withinMs: 20_000 });
      return find(traceId, name) as OtlpSpan; // it has just been found
    },
    metric: (name) => metrics.find((metric) => metric.name === name),
  };
}
