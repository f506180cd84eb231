import { Client as ClientV2, InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import type { MeterableServer } from '@tollgate/mcp';

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The same server and client in either generation of the MCP SDK: the tool `weather` answers, fails or waits. */
export interface Conversation {
  call(
    tool: string,
    args: Record<string, unknown>,
    meta?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  listTools(): Promise<readonly { readonly name: string; readonly _meta?: Record<string, unknown> }[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Weather {
  /** Does the tool's work for a city; its arguments and request never hold the caller's key. */
  report(city: string, extra: unknown): Promise<string> | string;
}

const name = { name: 'test', version: '1' };
const input = { city: z.string() };

export const generations = {
  first: async (weather: Weather, meter: (server: MeterableServer) => void): Promise<Conversation> => {
    const server = new McpServerV1(name);
    server.registerTool('weather', { inputSchema: input }, async ({ city }, extra) => ({
      content: [{ type: 'text', text: await weather.report(city, extra) }],
    }));
    meter(server);
    const client = new ClientV1(name);
    const [near, far] = InMemoryTransportV1.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    return {
      call: (tool, args, _meta, signal) =>
        client.callTool({ name: tool, arguments: args, _meta }, undefined, { ...(signal && { signal }) }) as never,
      listTools: async () => (await client.listTools()).tools as never,
      ping: async () => void (await client.ping()),
      close: () => client.close(),
    };
  },
  second: async (weather: Weather, meter: (server: MeterableServer) => void): Promise<Conversation> => {
    const server = new McpServerV2(name);
    server.registerTool('weather', { inputSchema: z.object(input) }, async ({ city }, context) => ({
      content: [{ type: 'text', text: await weather.report(city, context) }],
    }));
    meter(server);
    const client = new ClientV2(name);
    const [near, far] = InMemoryTransportV2.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    return {
      call: (tool, args, _meta, signal) =>
        client.callTool({ name: tool, arguments: args, _meta } as never, { ...(signal && { signal }) }) as never,
      listTools: async () => (await client.listTools()).tools as never,
      ping: async () => void (await client.ping()),
      close: () => client.close(),
    };
  },
};
