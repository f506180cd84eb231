import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { describe, expect } from '@jest/globals';
import { createMetering, idempotencyMeta } from '@tollgate/mcp';
import { Meter } from '@tollgate/sdk';
import { createCalls } from '@tollgate/sdk/calls';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';
import { serveFetch } from './serve-fetch.ts';
import { ask, toModern } from './speak-http.ts';

const name = { name: 'test', version: '1' };
const question = inputRequired.elicit({
  message: 'Which city?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});

/** The tool `ask` wants to know a city first, and `visit` wants its user to visit an address, once. */
function createServer(): () => McpServer {
  let runs = 0;
  let visited = false;
  const give = (text: string) => ({ content: [{ type: 'text' as const, text: `${text} ${(runs += 1)}` }] });
  return () => {
    const server = new McpServer(name);
    server.registerTool('ask', {}, async ({ mcpReq }) => {
      const accepted = acceptedContent<{ city: string }>(mcpReq.inputResponses, 'city');
      return accepted === undefined ? inputRequired({ inputRequests: { city: question } }) : give(accepted.city);
    });
    server.registerTool('visit', {}, async () => {
      if (visited) return give('visited');
      visited = true;
      const url = 'https://weather.example.com/consent';
      throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Please agree', elicitationId: '1', url }]);
    });
    return server;
  };
}

describe('an idempotency key of a call that asks for input first', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-input-required' }, undo);
    return async (mode: 'legacy' | { pin: string }) => {
      const market = await openMarket(product.baseUrl());
      const meter = await Meter.open({ tollgate: market.builder, durability: 'memory' });
      const calls = createCalls({ tollgate: market.builder, meter, gate: true });
      const options = { tollgate: market.builder, calls };
      const meterOne = createMetering({ ...options, tool: (tool) => (tool === 'ask' ? market.slug : undefined) });
      const newServer = createServer();
      const handler = createMcpHandler(() => meterOne(newServer()));
      const server = await serveFetch((request) => handler.fetch(request));
      const client = new Client(name, {
        versionNegotiation: { mode },
        capabilities: { elicitation: { form: {}, url: {} } },
      });
      let asked = 0;
      client.setRequestHandler('elicitation/create', async () => {
        asked += 1;
        return { action: 'accept', content: { city: 'Oslo' } };
      });
      const requestInit = { headers: { Authorization: `Bearer ${market.pass}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(server.baseUrl), { requestInit }));
      undo(() => Promise.all([client.close(), server.close(), meter.close()]));
      const call = (tool: string) =>
        client.callTool({ name: tool, arguments: {}, _meta: { [idempotencyMeta]: 'call-1' } });
      const bring = async (city: string) => {
        const params = { name: 'ask', arguments: {}, _meta: { [idempotencyMeta]: 'call-1' } };
        const inputResponses = { city: { action: 'accept', content: { city } } };
        const answer = await ask(server.baseUrl, { pass: market.pass, ...toModern({ ...params, inputResponses }) });
        return answer.messages.at(-1)?.result;
      };
      return { market, call, bring, asked: () => asked };
    };
  });

  it('F258 runs the call that brings the input, once, and gives a repeat its answer', async (open) => {
    const { market, call, asked } = await open({ pin: '2026-07-28' });
    expect(await call('ask')).toMatchObject({ content: [{ text: 'Oslo 1' }] });
    expect(asked()).toBe(1);
    expect(await call('ask')).toMatchObject({ content: [{ text: 'Oslo 1' }] });
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('F258 never gives the answer to one input for another input', async (open) => {
    const { market, call, bring } = await open({ pin: '2026-07-28' });
    expect(await call('ask')).toMatchObject({ content: [{ text: 'Oslo 1' }] });
    expect(await bring('Rome')).toMatchObject({ content: [{ text: 'Rome 2' }] });
    expect(await bring('Rome')).toMatchObject({ content: [{ text: 'Rome 2' }] });
    expect(await bring('Oslo')).toMatchObject({ content: [{ text: 'Oslo 3' }] });
    await market.untilCounted({ successes: 3, failures: 0 });
  });

  it('F258 runs the call that comes after its user has visited an address', async (open) => {
    const { call } = await open('legacy');
    await expect(call('visit')).rejects.toThrow(/agree|elicitation/i);
    expect(await call('visit')).toMatchObject({ content: [{ text: 'visited 1' }] });
    expect(await call('visit')).toMatchObject({ content: [{ text: 'visited 1' }] });
  });
});
