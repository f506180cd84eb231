import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { describeWithPython, openPython, pythonClient, runPython } from '../clients/python-environment.ts';
import { openMarket } from '../clients/market.ts';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { newTrace, pathOf } from './call-traced.ts';
import { openOtlpReceiver } from './otlp-receiver.ts';

const program = fileURLToPath(new URL('traced-program.py', import.meta.url));

describeWithPython('a trace through the Python client', () => {
  const it = itWith(async (undo) => {
    const receiver = await openOtlpReceiver(undo);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.baseUrl,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    };
    const product = await openProduct({ name: 'python-trace', env }, undo);
    return { receiver, product, python: await openPython(undo, [pythonClient]) };
  }, 300_000);

  it('F378 leads from the span that a call names over gate and event to its counting, and a bad one loses no call', async (opened) => {
    const { receiver, product, python } = opened;
    const { builder, consumer, slug, pass } = await openMarket(product.baseUrl());
    const { key: apiKey } = await builder.apiKeys.create({ name: 'server' });
    const run = runPython(python, { TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: apiKey });
    const [ofMeter, ofGate] = [newTrace(), newTrace()];
    expect(await run(program, slug, pass, ofMeter.traceparent, ofGate.traceparent)).toBe('sent\n');

    for (const trace of [ofMeter, ofGate]) {
      const flush = await receiver.spanOf(trace.traceId, 'flush usage.events.v1');
      expect(flush.links.map(({ traceId }) => traceId)).toContain(trace.traceId);
      const call = await receiver.spanOf(trace.traceId, `execute_tool ${slug}`);
      expect(call.parentId).toBe(trace.spanId);
    }
    const gate = await receiver.spanOf(ofGate.traceId, 'POST /v1/authorizations');
    expect([gate.parentId, pathOf(gate, receiver.spansOf(ofGate.traceId))]).toEqual([ofGate.spanId, [gate.name]]);
    expect((await builder.usage.get()).totals.calls).toBe(2); // the one with a bad span is counted, too
    expect((await consumer.usage.get()).totals.calls).toBe(1);
  }, 300_000);
});
