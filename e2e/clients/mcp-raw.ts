import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/server';
import type { Weather } from './mcp-generations.ts';
import { createServerV1, createServerV2, type MeterOne } from './mcp-over-http.ts';

/** A client that gives its requests any ids: the SDKs' own clients count them. */
export interface RawConnection {
  send(id: unknown, args: Record<string, unknown>, meta: Record<string, unknown>): void;
  /** The ids of the calls that were answered. */
  answered(): readonly unknown[];
  close(): Promise<void>;
}

interface RawTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: object) => void) | undefined;
}

const initialize = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

function toCall(id: unknown, args: Record<string, unknown>, meta: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'weather', arguments: args, _meta: meta } };
}

async function speak(near: RawTransport): Promise<RawConnection> {
  const answered: unknown[] = [];
  const greeted = Promise.withResolvers<undefined>();
  near.onmessage = (message) => {
    const { id, result } = message as { id?: unknown; result?: { content?: unknown } };
    if (id === 'initialize') greeted.resolve(undefined);
    else if (result?.content !== undefined) answered.push(id);
  };
  await near.start();
  await near.send(initialize);
  await greeted.promise;
  await near.send(initialized);
  return {
    send: (id, args, meta) => void near.send(toCall(id, args, meta)),
    answered: () => answered,
    close: () => near.close(),
  };
}

export const rawConnections = {
  first: async (weather: Weather, meter: MeterOne): Promise<RawConnection> => {
    const [near, far] = InMemoryTransportV1.createLinkedPair();
    await meter(createServerV1(weather)).connect(far);
    return speak(near as RawTransport);
  },
  second: async (weather: Weather, meter: MeterOne): Promise<RawConnection> => {
    const [near, far] = InMemoryTransportV2.createLinkedPair();
    await meter(createServerV2(weather)).connect(far);
    return speak(near as RawTransport);
  },
};

export interface HttpSession {
  /** As a pool that shares a session sends it for one of its clients. */
  call(id: unknown, city: string, pass: string): void;
  hangUp(): void;
}

/** Begins a session over streamable HTTP. */
export async function speakOverHttp(url: string, pass: string): Promise<HttpSession> {
  const over = new AbortController();
  async function post(message: object, bearer: string, sessionId?: string): Promise<Response> {
    const headers: Record<string, string> = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${bearer}`,
      'mcp-protocol-version': '2025-06-18',
      ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(message), signal: over.signal });
  }
  const greeting = await post(initialize, pass);
  const sessionId = greeting.headers.get('mcp-session-id') ?? undefined;
  await greeting.text();
  await (await post(initialized, pass, sessionId)).text();
  return {
    // The transport of the SDK may answer on the stream of the other call: only that they ran matters here.
    call: (id, city, bearer) => void post(toCall(id, { city }), bearer, sessionId).catch(() => undefined),
    hangUp: () => over.abort(),
  };
}
