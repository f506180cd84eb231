interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly { readonly key: string; readonly value: Value }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A request of OTLP, from protobuf or JSON. */
export interface OtlpTraces {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly RawSpan[] }[];
  }[];
}

/** A span with its ids in hexadecimal digits. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export function spansOf({ resourceSpans = [] }: OtlpTraces): OtlpSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans).flatMap((scope) => scope.spans ?? []);
  return spans.map((span) => ({
    traceId: toHex(span.traceId),
    spanId: toHex(span.spanId),
    parentId: toHex(span.parentSpanId ?? ''),
    name: span.name,
    durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
    attributes: Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, plain(value)])),
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId: toHex(traceId), spanId: toHex(spanId) })),
  }));
}

function plain({ stringValue, intValue, doubleValue, boolValue }: Value) {
  return stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue));
}

/** JSON has hexadecimal digits already; bytes of protobuf are shown in base64. */
function toHex(id: string): string {
  return /^(?:[\da-f]{16}){0,2}$/.test(id) ? id : Buffer.from(id, 'base64').toString('hex');
}
