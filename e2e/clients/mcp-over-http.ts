import { randomUUID } from 'node:crypto';
import { Client as ClientV2, StreamableHTTPClientTransport as ClientTransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport as TransportV1 } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  createMcpHandler,
  McpServer as McpServerV2,
  WebStandardStreamableHTTPServerTransport as TransportV2,
} from '@modelcontextprotocol/server';
import { serveHttp, type HttpServer } from '@tollgate/testkit/http-server';
import { z } from 'zod';
import type { MeterableServer } from '@tollgate/mcp';
import type { Conversation, Weather } from './mcp-generations.ts';
import { serveFetch } from './serve-fetch.ts';

/** Meters a server that is new. */
export type MeterOne = <T extends MeterableServer>(server: T) => T;

/** The tool `weather` over streamable HTTP, and a client of it whose bearer token is `pass`. */
export interface McpOverHttp {
  /** Each request has a server of its own; else each session has. */
  readonly isPerRequest: boolean;
  /** The revision of MCP that the client insists on. */
  readonly revision?: string;
  serve(weather: Weather, meter: MeterOne): Promise<HttpServer>;
  connect(url: string, pass: string | undefined): Promise<Conversation>;
}

const name = { name: 'test', version: '1' };
const input = { city: z.string() };

export function createServerV1(weather: Weather): McpServerV1 {
  const server = new McpServerV1(name);
  server.registerTool('weather', { inputSchema: input }, async ({ city }, extra) => ({
    content: [{ type: 'text', text: await weather.report(city, extra) }],
  }));
  return server;
}

export function createServerV2(weather: Weather): McpServerV2 {
  const server = new McpServerV2(name);
  server.registerTool('weather', { inputSchema: z.object(input) }, async ({ city }, context) => ({
    content: [{ type: 'text', text: await weather.report(city, context) }],
  }));
  return server;
}

/** Opens a transport for each new session, and finds the one of a request that names its session. */
function createSessions<T>(open: (keep: (sessionId: string) => void) => Promise<T>) {
  const sessions = new Map<string, Promise<T>>();
  return function transportOf(sessionId: string | null | undefined): Promise<T> {
    const known = sessions.get(sessionId ?? '');
    if (known !== undefined) return known;
    const opened = open((id) => sessions.set(id, opened));
    return opened;
  };
}

const serveV1 = {
  perSession: async (weather: Weather, meter: MeterOne) => {
    const transportOf = createSessions(async (onsessioninitialized) => {
      const transport = new TransportV1({ sessionIdGenerator: randomUUID, onsessioninitialized });
      await meter(createServerV1(weather)).connect(transport as never); // its own types differ in undefined
      return transport;
    });
    return serveHttp((request, response) => {
      const transport = transportOf(request.headers['mcp-session-id'] as string | undefined);
      void transport.then((found) => found.handleRequest(request, response));
    });
  },
  perRequest: async (weather: Weather, meter: MeterOne) =>
    serveHttp((request, response) => {
      const transport = new TransportV1({ sessionIdGenerator: undefined } as object);
      response.once('close', () => void transport.close());
      const connected = meter(createServerV1(weather)).connect(transport as never);
      void connected.then(() => transport.handleRequest(request, response));
    }),
};

const serveV2 = {
  perSession: async (weather: Weather, meter: MeterOne) => {
    const transportOf = createSessions(async (onsessioninitialized) => {
      const transport = new TransportV2({ sessionIdGenerator: randomUUID, onsessioninitialized });
      await meter(createServerV2(weather)).connect(transport);
      return transport;
    });
    return serveFetch(async (request) =>
      (await transportOf(request.headers.get('mcp-session-id'))).handleRequest(request),
    );
  },
  perRequest: async (weather: Weather, meter: MeterOne) => {
    const handler = createMcpHandler(() => meter(createServerV2(weather)));
    return serveFetch((request) => handler.fetch(request));
  },
};

function requestInit(pass: string | undefined) {
  return { requestInit: { headers: pass === undefined ? {} : { Authorization: `Bearer ${pass}` } } };
}

async function connectV1(url: string, pass: string | undefined): Promise<Conversation> {
  const client = new ClientV1(name);
  await client.connect(new ClientTransportV1(new URL(url), requestInit(pass)) as never);
  return {
    call: (tool, args, _meta, signal) =>
      client.callTool({ name: tool, arguments: args, _meta }, undefined, { ...(signal && { signal }) }) as never,
    listTools: async () => (await client.listTools()).tools as never,
    ping: async () => void (await client.ping()),
    close: () => client.close(),
  };
}

/** `mode`: which revision of the protocol the client asks for; 2026's has no sessions. */
function connectV2(mode: 'legacy' | { readonly pin: string }) {
  return async (url: string, pass: string | undefined): Promise<Conversation> => {
    const client = new ClientV2(name, { versionNegotiation: { mode } });
    await client.connect(new ClientTransportV2(new URL(url), requestInit(pass)));
    return {
      call: (tool, args, _meta, signal) =>
        client.callTool({ name: tool, arguments: args, _meta } as never, { ...(signal && { signal }) }) as never,
      listTools: async () => (await client.listTools()).tools as never,
      ping: async () => void (await client.ping()),
      close: () => client.close(),
    };
  };
}

export const overHttp: Readonly<Record<string, McpOverHttp>> = {
  'first generation, one server per session': { isPerRequest: false, serve: serveV1.perSession, connect: connectV1 },
  'first generation, one server per request': { isPerRequest: true, serve: serveV1.perRequest, connect: connectV1 },
  'second generation, one server per session': {
    isPerRequest: false,
    serve: serveV2.perSession,
    connect: connectV2('legacy'),
  },
  'second generation, one server per request': {
    isPerRequest: true,
    serve: serveV2.perRequest,
    connect: connectV2('legacy'),
  },
  "second generation and 2026's revision of MCP": {
    isPerRequest: true,
    serve: serveV2.perRequest,
    revision: '2026-07-28',
    connect: connectV2({ pin: '2026-07-28' }),
  },
};
