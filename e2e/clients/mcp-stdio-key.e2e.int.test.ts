import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from '@jest/globals';
import { errorMeta } from '@tollgate/mcp';
import { startChildService } from '@tollgate/testkit/child-service';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';

const program = fileURLToPath(new URL('mcp-metered-program.ts', import.meta.url));

describe('TOLLGATE_KEY of a metered server whose author names no key', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'mcp-stdio-key' }, undo);
    return async (kind: string) => {
      const market = await openMarket(product.baseUrl());
      const { key = '' } = await market.builder.apiKeys.create({ name: 'server' });
      const env = { TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: key, TOLLGATE_KEY: market.pass };
      const flags = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
      const command = { command: process.execPath, args: [...flags, program, kind, market.slug], env };
      const client = new Client({ name: 'test', version: '1' });
      undo(() => client.close());
      return { market, command, client, call: () => client.callTool({ name: 'weather', arguments: {} }) };
    };
  });

  for (const kind of ['first', 'second', 'serveStdio'])
    it(`pays for a call over stdio (${kind})`, async (open) => {
      const { market, command, client, call } = await open(kind);
      await client.connect(new StdioClientTransport({ ...command, stderr: 'inherit' }));
      expect(await call()).toMatchObject({ content: [{ text: '12 degrees' }] });
      await market.untilCounted({ successes: 1, failures: 0 });
    });

  it('pays for no call over HTTP, which anybody may send', async (open) => {
    const { command, client, call } = await open('http');
    const server = startChildService(command);
    const [url = ''] = await server.line(/^http:.*$/m, { withinMs: 20_000 });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(await call()).toMatchObject({ isError: true, _meta: { [errorMeta]: { code: 'payment_required' } } });
    await server.destroy();
  });
});
