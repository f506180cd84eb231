import { createServer } from 'node:http';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { startStandaloneProduct } from '../products/standalone.ts';
import { defineRow } from '../row.ts';
import { ingestSide, singles } from './ingest-side.ts';

/** The cost of OpenTelemetry at 1 % of the traces. That of its code without settings: `pnpm bench --compare 1519ff0a~1 R1 R8a`. */
export const tracesRow = defineRow({
  id: 'T1',
  ours: 'CPU per event from POST to counted, all processes, standalone, single events, with 1 % of the traces and all metrics sent by OTLP',
  ceiling: 'CPU per event of the same product without OpenTelemetry',
  unit: 'µs',
  figure: 'cpu',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 1.1 } },
  isComparable: false,
  async openOurs(context) {
    const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
    const port = await listenLocally(receiver);
    const product = await startStandaloneProduct(context, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
      OTEL_METRIC_EXPORT_INTERVAL: '10000',
    });
    const side = ingestSide(product, { ...singles, seconds: context.seconds });
    return {
      ...side,
      async close() {
        await side.close();
        receiver.close().closeAllConnections();
      },
    };
  },
  async openCeiling(context) {
    return ingestSide(await startStandaloneProduct(context), { ...singles, seconds: context.seconds });
  },
});
