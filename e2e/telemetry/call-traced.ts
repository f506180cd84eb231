import { randomBytes } from 'node:crypto';
import { keyMeta, meterServer } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { openMarket, type Market } from '../clients/market.ts';
import { generations } from '../clients/mcp-generations.ts';
import type { OtlpSpan } from './otlp-spans.ts';

export interface Traced {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceparent: string;
}

/** The span of an agent, which it follows. */
export function newTrace(flags = '01'): Traced {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** An agent calls a gated tool by MCP, within a trace of its own: SEP-414 has it in `_meta`. Resolves when it is counted. */
export async function callByMcp(baseUrl: string, { traceparent }: Traced): Promise<Market> {
  const market = await openMarket(baseUrl);
  const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
  const calls = createCalls({ tollgate: market.builder, meter, gate: true, onError: () => undefined });
  const weather = { report: (city: string) => `12 degrees in ${city}` };
  const conversation = await generations.second(weather, (server) =>
    meterServer(server, { tollgate: market.builder, calls, tool: market.slug, onError: () => undefined }),
  );
  try {
    const answer = await conversation.call('weather', { city: 'Oslo' }, { [keyMeta]: market.pass, traceparent });
    if (answer.isError === true) throw new Error(`the call was refused: ${JSON.stringify(answer.content)}`);
  } finally {
    await conversation.close();
    await meter.close();
  }
  await market.untilCounted({ successes: 1, failures: 0 });
  return market;
}

/** The names of a span and of those above it, the lowest first, up to one that is none of ours. */
export function pathOf(span: OtlpSpan, spans: readonly OtlpSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return [span.name, ...(parent === undefined ? [] : pathOf(parent, spans))];
}
