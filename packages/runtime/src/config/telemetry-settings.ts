import { z } from 'zod';

const endpointSchema = z.url({ protocol: /^https?$/ }).optional();

/** Standard settings of OpenTelemetry. docs/tracing.md names those that its SDK reads besides. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpointSchema.describe(
    'Where traces and metrics are sent by OTLP over HTTP, such as `http://localhost:4318`. Without this and the next two, none are.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpointSchema.describe(
    'Where traces are sent, with its path. Goes before the one above.',
  ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpointSchema.describe('Where metrics are sent, with its path. Likewise.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('Which traces are followed. `parentbased_…` follows each that its caller follows.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('With `traceidratio`: the share of traces, from 0 to 1.'),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(60_000)
    .describe('How often metrics are sent, in milliseconds.'),
};

export type TelemetrySettings = z.output<z.ZodObject<typeof telemetrySettings>>;
