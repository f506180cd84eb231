import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { serveHttp } from '@tollgate/testkit/http-server';
import { standaloneMain } from '@tollgate/testkit/standalone-process';
import { openMarket } from '../clients/market.ts';
import { itWith, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { callByMcp, newTrace, pathOf } from './call-traced.ts';
import { paste, readTracingPage, treeOf } from './page.ts';
import { openOtlpReceiver } from './otlp-receiver.ts';

async function openWebhooks(undo: Undo) {
  const received: { traceparent: string | undefined; type: string }[] = [];
  const server = await serveHttp((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { type } = JSON.parse(Buffer.concat(parts).toString()) as { type: string };
      received.push({ type, traceparent: request.headers['traceparent'] as string | undefined });
      response.writeHead(204).end();
    });
  });
  undo(() => server.close());
  return { url: server.baseUrl, received };
}

/** Sends events as the gateway's line takes them: by an API key, with no header for the key of the event. */
async function openPlainClient(baseUrl: string, consumer: Tollgate): Promise<(event: object) => Promise<void>> {
  const { key } = await consumer.apiKeys.create({ name: 'plain' });
  const headers = { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' };
  return async (event) => {
    const answer = await fetch(`${baseUrl}/v1/events`, { method: 'POST', headers, body: JSON.stringify(event) });
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
  };
}

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const it = itWith(async (undo) => {
    const receiver = await openOtlpReceiver(undo);
    const webhooks = await openWebhooks(undo);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.baseUrl,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      OUTGOING_ALLOW: 'loopback',
      LOG_LEVEL: 'debug',
    };
    const product = await openProduct({ name: 'trace', env }, undo);
    return { receiver, webhooks, product };
  });

  it('F369 one trace leads from the agent over gate, event and log to its counting and its rollup', async (opened) => {
    const { receiver, product } = opened;
    const agent = newTrace();
    const { slug, consumer } = await callByMcp(product.baseUrl(), agent);
    const spanOf = (name: string | RegExp) => receiver.spanOf(agent.traceId, name);
    const { events } = await consumer.events.list().firstPage();
    const event = { event_id: events[0]?.event_id };

    const gate = await spanOf('POST /v1/authorizations');
    const call = await spanOf(`execute_tool ${slug}`);
    const sent = await spanOf('send usage.events.v1');
    const counted = await spanOf('process usage.events.v1');
    const flush = await spanOf('flush usage.events.v1');
    const rollup = await spanOf('usage.record_events_with_passes');
    expect([gate, call, sent].map(({ parentId }) => parentId)).toEqual([agent.spanId, agent.spanId, agent.spanId]);
    expect(pathOf(rollup, receiver.spansOf(agent.traceId))).toEqual([
      'usage.record_events_with_passes',
      'flush usage.events.v1',
      'process usage.events.v1',
      'send usage.events.v1',
    ]);
    expect(flush.links).toContainEqual({ traceId: agent.traceId, spanId: counted.spanId });
    expect(counted.links).toEqual([{ traceId: agent.traceId, spanId: flush.spanId }]);
    expect(call.attributes).toMatchObject({
      ...event,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': slug,
    });
    expect([sent.attributes, counted.attributes]).toMatchObject([event, event]);
  });

  it('F369 a call lasts in its trace as long as its event says', async ({ receiver, product }) => {
    const { consumer, slug } = await openMarket(product.baseUrl());
    const trace = newTrace();
    await consumer.events.record({ tool_id: slug, duration_ms: 7_300 }, { traceparent: trace.traceparent });
    const call = await receiver.spanOf(trace.traceId, `execute_tool ${slug}`);
    expect(Math.round(call.durationMs)).toBe(7_300);
    expect(pathOf(call, receiver.spansOf(trace.traceId))).toEqual([`execute_tool ${slug}`, 'POST /v1/events']);
  });

  it('F369 two events of one batch stay in the traces that they name, and each leads to the flush of both', async (opened) => {
    const { receiver, product } = opened;
    const { consumer, slug } = await openMarket(product.baseUrl());
    const traces = [newTrace(), newTrace()];
    const events = traces.map(({ traceparent }) => ({ tool_id: slug, traceparent }));
    await consumer.events.recordBatch(events);
    const counted = await Promise.all(traces.map(({ traceId }) => receiver.spanOf(traceId, 'process usage.events.v1')));
    const [flush] = counted.map(({ links }) => links[0]?.spanId);
    expect(counted.map(({ links }) => links[0]?.spanId)).toEqual([flush, flush]);
    expect(receiver.spans.find(({ spanId }) => spanId === flush)?.links).toHaveLength(2);
  });

  it('F369 nobody follows a trace that its caller does not follow, nor one that is none', async ({
    receiver,
    product,
  }) => {
    const { consumer, slug } = await openMarket(product.baseUrl());
    const [quiet, loud] = [newTrace('00'), newTrace()];
    for (const traceparent of [quiet.traceparent, 'no-traceparent', loud.traceparent])
      await consumer.events.record({ tool_id: slug }, { traceparent });
    await receiver.spanOf(loud.traceId, 'flush usage.events.v1');
    const followed = receiver.spans.filter(({ name }) => name === `execute_tool ${slug}`);
    expect(followed.map(({ traceId }) => traceId)).toEqual([loud.traceId]);
    await expect(consumer.events.record({ tool_id: slug, traceparent: 'no-traceparent' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  it('F369 an event that names a trace is followed, though nobody follows its request', async (opened) => {
    const { receiver, product } = opened;
    const { consumer, slug } = await openMarket(product.baseUrl());
    const trace = newTrace();
    const record = await openPlainClient(product.baseUrl(), consumer);
    await record({ tool_id: slug, traceparent: trace.traceparent });
    const call = await receiver.spanOf(trace.traceId, `execute_tool ${slug}`);
    const sent = await receiver.spanOf(trace.traceId, 'send usage.events.v1');
    await receiver.spanOf(trace.traceId, 'process usage.events.v1');
    expect([call, sent]).toMatchObject([
      { parentId: trace.spanId, links: [] },
      { parentId: trace.spanId, links: [] },
    ]);
  });

  it('F370 a webhook belongs to the trace of the request that caused it, and its receiver goes on from there', async (opened) => {
    const { receiver, webhooks, product } = opened;
    const { consumer } = await openMarket(product.baseUrl());
    await consumer.webhookEndpoints.create({ url: webhooks.url });
    const trace = newTrace();
    await consumer.apiKeys.create({ name: 'traced' }, { traceparent: trace.traceparent });
    const told = () => webhooks.received.find(({ traceparent }) => traceparent?.includes(trace.traceId));
    await eventually(() => told() !== undefined, { withinMs: 20_000 });
    const post = await receiver.spanOf(trace.traceId, 'POST');
    expect(told()?.traceparent).toBe(`00-${trace.traceId}-${post.spanId}-01`);
    expect(pathOf(post, receiver.spansOf(trace.traceId))).toEqual(['POST', 'POST /v1/api-keys']);
    expect(post.attributes).toMatchObject({ 'http.response.status_code': 204, 'tollgate.webhook.type': told()?.type });
  });

  it('F369 docs/tracing.md works as printed: its command has the trace that the page shows', async ({
    receiver,
    product,
  }) => {
    const { builder, consumer } = await openMarket(product.baseUrl());
    await builder.tools.create({ slug: 'web-search', name: 'Search', price: { per_call_usd: '0.01' } });
    const { key } = await consumer.apiKeys.create({ name: 'agent' });
    const { command, printed, tree } = readTracingPage();
    expect(await paste(command, { URL: product.baseUrl(), CONSUMER: key ?? '' })).toBe(printed);
    const [, traceId = '', spanId = ''] = /traceparent: 00-(\w+)-(\w+)-01/.exec(command) ?? [];
    await eventually(() => treeOf(receiver.spansOf(traceId), spanId) === tree, { withinMs: 20_000 }).catch(
      () => undefined,
    );
    expect(treeOf(receiver.spansOf(traceId), spanId)).toBe(tree);
  });

  it('F369 lines of the log name the trace of their request', async ({ product }) => {
    const { consumer, slug } = await openMarket(product.baseUrl());
    const trace = newTrace();
    await consumer.events.record({ tool_id: slug }, { traceparent: trace.traceparent });
    const lines = () =>
      product
        .output()
        .split('\n')
        .filter((line) => line.includes(`"trace_id":"${trace.traceId}"`));
    await eventually(() => lines().some((line) => line.includes('"operation":"recordEvent"')), { withinMs: 5_000 });
  });

  it('F369 sends the same metrics as /metrics has', async ({ receiver, product }) => {
    const { consumer, slug, untilCounted } = await openMarket(product.baseUrl());
    await consumer.events.recordBatch([{ tool_id: slug }, { tool_id: slug }]);
    await untilCounted({ successes: 2, failures: 0 });
    const recorded = () =>
      receiver
        .metric('tollgate_aggregator_records_total')
        ?.sum?.dataPoints.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === 'recorded'));
    await eventually(() => (recorded()?.asDouble ?? 0) >= 2, { withinMs: 10_000 });
    expect(receiver.metric('process_cpu_seconds_total')).toBeDefined();
  });
});

describe('half of the traces', () => {
  const it = itWith(async (undo) => {
    const receiver = await openOtlpReceiver(undo);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.baseUrl,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
    };
    return { receiver, product: await openProduct({ name: 'trace-half', env }, undo) };
  });

  it('F369 are followed whole: no event has spans whose request has none', async ({ receiver, product }) => {
    const { consumer, slug, untilCounted } = await openMarket(product.baseUrl());
    const record = await openPlainClient(product.baseUrl(), consumer);
    for (let sent = 0; sent < 40; sent += 1) await record({ tool_id: slug });
    await untilCounted({ successes: 40, failures: 0 });
    const spansNamed = (wanted: string) => receiver.spans.filter(({ name }) => name === wanted);
    await eventually(() => spansNamed('flush usage.events.v1').length > 0, { withinMs: 10_000 });
    await eventually(() => spansNamed('process usage.events.v1').length === spansNamed('POST /v1/events').length, {
      withinMs: 10_000,
    });
    const requests = new Set(spansNamed('POST /v1/events').map(({ spanId }) => spanId));
    expect(requests.size).toBeGreaterThan(0);
    expect(requests.size).toBeLessThan(40);
    expect(spansNamed('send usage.events.v1').every(({ parentId }) => requests.has(parentId ?? ''))).toBe(true);
    expect(spansNamed(`execute_tool ${slug}`)).toHaveLength(requests.size);
  });
});

describe('a receiver of traces that never answers', () => {
  const it = itWith(async (undo) => {
    const silent = await serveHttp(() => undefined);
    undo(() => silent.close());
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.baseUrl, OTEL_BSP_SCHEDULE_DELAY: '50' };
    return openProduct({ name: 'trace-silent', env }, undo);
  });

  it('F371 holds up no event', async (product) => {
    const { consumer, slug, untilCounted } = await openMarket(product.baseUrl());
    for (let sent = 0; sent < 20; sent += 1) await consumer.events.record({ tool_id: slug });
    await untilCounted({ successes: 20, failures: 0 });
  });
});

describe('without a setting of OpenTelemetry', () => {
  const it = itWith(async (undo) => openProduct({ name: 'untraced' }, undo));

  it('F371 the SDK is in no file that a start loads', async (product) => {
    await new Tollgate({ url: product.baseUrl() }).auth.register({
      email: 'a@example.com',
      password: 'correct horse battery',
    });
    const folder = dirname(standaloneMain);
    const files = new Map(
      globSync('*.js', { cwd: folder }).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    const isSdk = (name: string) => files.get(name)?.includes('OTLPTraceExporter') === true;
    const loaded = new Set<string>();
    const load = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      const imports = (files.get(name) ?? '').matchAll(/(?:from|import) ?\(?"\.\/([\w.-]+\.js)"/g);
      for (const [, next = ''] of imports) if (!next.startsWith('start-telemetry')) load(next);
    };
    load('main.js');
    expect(loaded.size).toBeGreaterThan(3);
    expect([...files.keys()].some(isSdk)).toBe(true);
    expect([...loaded].filter(isSdk)).toEqual([]);
  });
});
