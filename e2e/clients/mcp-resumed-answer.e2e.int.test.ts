import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, type EventStore } from '@modelcontextprotocol/server';
import { describe, expect } from '@jest/globals';
import { meterServer } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openCutClients } from './cut-clients.ts';
import { openMarket } from './market.ts';
import { createServerV2 } from './mcp-over-http.ts';
import { serveFetch } from './serve-fetch.ts';
import { ask, initialize, toCall, type HttpAsk } from './speak-http.ts';

const version = '2025-11-25';
type Stored = readonly [streamId: string, message: Parameters<EventStore['storeEvent']>[1]];

/** The messages of a transport by their number, so that a client can come back for those that it missed. */
function createEventStore() {
  const stored: Stored[] = [];
  const store: EventStore = {
    storeEvent: async (streamId, message) => String(stored.push([streamId, message]) - 1),
    async replayEventsAfter(lastEventId, { send }) {
      const [streamId = ''] = stored[Number(lastEventId)] ?? [];
      for (const [id, [stream, message]] of stored.entries())
        if (stream === streamId && id > Number(lastEventId)) await send(String(id), message);
      return streamId;
    },
  };
  return { store, lastOpened: () => stored.findLastIndex(([, message]) => !('jsonrpc' in message)) };
}

describe('a client that can come back to its stream', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-resumed-answer' }, undo);
    const market = await openMarket(product.baseUrl());
    const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
    const clients = openCutClients();
    const { store: eventStore, lastOpened } = createEventStore();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, eventStore });
    const calls = createCalls({ tollgate: market.builder, meter, gate: true });
    const options = { tollgate: market.builder, calls, tool: market.slug };
    await meterServer(createServerV2(clients.weather), options).connect(transport);
    const server = await serveFetch((request) => transport.handleRequest(request));
    undo(() => (clients.close(), Promise.all([server.close(), meter.close()])));
    const { pass } = market;
    const params = { ...initialize.params, protocolVersion: version };
    const begun = await ask(server.baseUrl, { pass, message: { ...initialize, params } });
    const sessionId = String(begun.headers['mcp-session-id']);
    const send = ({ headers, ...given }: HttpAsk) =>
      ask(server.baseUrl, { pass, sessionId, ...given, headers: { 'mcp-protocol-version': version, ...headers } });
    await send({ message: { method: 'notifications/initialized' } });
    return { market, clients, send, lastOpened };
  });

  it('F299 gets its answer there, and no second time by a call of its own', async ({
    market,
    clients,
    send,
    lastOpened,
  }) => {
    await clients.hangUp('while the tool runs', (given) => send({ ...given, message: toCall(1, 'Oslo') }));
    await market.untilCounted({ successes: 1, failures: 0 });
    const resumed = await send({ method: 'GET', headers: { 'last-event-id': String(lastOpened()) } });
    expect(resumed.messages).toMatchObject([{ id: 1, result: { content: [{ text: 'Oslo 1' }] } }]);
    const next = await send({ message: toCall(2, 'Oslo') });
    expect(next.messages.at(-1)).toMatchObject({ id: 2, result: { content: [{ text: 'Oslo 2' }] } });
    await market.untilCounted({ successes: 2, failures: 0 });
  });
});
