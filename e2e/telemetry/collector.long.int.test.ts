import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { buildGo, describeWithGo, goBuildWithinMs } from '../go-programs.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { callByMcp, newTrace, pathOf } from './call-traced.ts';
import { spansOf, type OtlpSpan, type OtlpTraces } from './otlp-spans.ts';

/** OpenTelemetry's own collector, of the Go modules in `collector/`: it receives OTLP and writes what it got into a file. */
async function openCollector(undo: Undo) {
  const folder = openFolder('collector', undo);
  await buildGo('e2e/telemetry/collector', '.', folder);
  const [port = 0] = await findFreePorts(1);
  const file = join(folder, 'traces.jsonl');
  const pipeline = { receivers: ['otlp'], exporters: ['file'] };
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { file: { path: file, flush_interval: '200ms' } },
    service: {
      pipelines: { traces: pipeline, metrics: pipeline },
      telemetry: { metrics: { level: 'none' } },
    },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config)); // YAML is a superset of JSON
  const collector = spawn(join(folder, 'collector'), ['--config', 'config.yaml'], { cwd: folder, stdio: 'ignore' });
  undo(() => collector.kill('SIGKILL'));
  const lines = () =>
    (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []).filter((line) => line !== '');
  const written = () => lines().flatMap(parsed);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    spansOf: (traceId: string): OtlpSpan[] =>
      written()
        .flatMap(spansOf)
        .filter((span) => span.traceId === traceId),
    text: () => lines().join('\n'),
  };
}

/** The last line may be half written. */
function parsed(line: string): OtlpTraces[] {
  try {
    return [JSON.parse(line) as OtlpTraces];
  } catch {
    return [];
  }
}

describeWithGo('OpenTelemetry’s collector', () => {
  const it = itWith(async (undo) => {
    const collector = await openCollector(undo);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.baseUrl,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    };
    return { collector, product: await openProduct({ name: 'collector-product', env }, undo) };
  }, goBuildWithinMs);

  it('F369 gets the whole trace of an agent’s call, and the metrics', async ({ collector, product }) => {
    const agent = newTrace();
    const { slug } = await callByMcp(product.baseUrl(), agent);
    const rollup = () =>
      collector.spansOf(agent.traceId).find(({ name }) => name === 'usage.record_events_with_passes');
    await eventually(() => rollup() !== undefined, { withinMs: 30_000 });
    const spans = collector.spansOf(agent.traceId);
    const statement = rollup();
    expect(statement && pathOf(statement, spans)).toEqual([
      'usage.record_events_with_passes',
      'flush usage.events.v1',
      'process usage.events.v1',
      'send usage.events.v1',
    ]);
    const roots = spans.filter(({ parentId }) => parentId === agent.spanId).map(({ name }) => name);
    expect(roots).toEqual(
      expect.arrayContaining(['POST /v1/authorizations', `execute_tool ${slug}`, 'send usage.events.v1']),
    );
    await eventually(() => collector.text().includes('tollgate_aggregator_records_total'), { withinMs: 30_000 });
  });
});
