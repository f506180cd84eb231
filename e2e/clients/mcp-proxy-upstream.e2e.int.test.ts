import { describe, expect } from '@jest/globals';
import { itWith } from '../it-with.ts';
import { openProxies, rawServerCommand } from './open-proxies.ts';

describe('mcp-proxy, before a server that does not answer as usual', () => {
  const it = itWith((undo) => openProxies('mcp-proxy-upstream', undo));

  it('passes a message of 12 MiB on', async ({ open }) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--tool', market.slug, '--', ...rawServerCommand]);
    proxy.call(1, 'large');
    expect((await proxy.answers(1))[0]?.result?.content[0]?.text.length).toBe(12 * 1024 * 1024);
    await market.untilCounted({ successes: 1, failures: 0 });
  });

  it('names its bound when a message is larger', async ({ open }) => {
    const { market, startRaw } = await open();
    const proxy = startRaw(['--max-message-mib', '1', '--tool', market.slug, '--', ...rawServerCommand]);
    proxy.call(1, 'large');
    expect(await proxy.exited).toBe(1);
    expect(proxy.errors()).toMatch(/a message of the server is larger than this proxy takes.*--max-message-mib/);
  });
});
