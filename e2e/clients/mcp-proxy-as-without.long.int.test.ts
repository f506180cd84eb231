import { fileURLToPath } from 'node:url';
import { describe, expect } from '@jest/globals';
import { priceMeta } from '@tollgate/mcp';
import { itWith } from '../it-with.ts';
import { hearServer } from './hear-server.ts';
import { openListeners } from './open-listeners.ts';

const program = fileURLToPath(new URL('mcp-talkative-program.ts', import.meta.url));
const args = ['--disable-warning=ExperimentalWarning', program];

/** Prices are the proxy's own, and the `_meta` that a tool has for them alone; everything else is the server's. */
function withoutPrices(messages: readonly object[]): unknown {
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => {
    if (key === priceMeta) return undefined;
    return key === '_meta' && JSON.stringify(value) === '{}' ? undefined : value;
  });
}

describe('mcp-proxy --listen, for everything but calls', () => {
  const it = itWith((undo) => openListeners('mcp-proxy-as-without', undo));

  for (const generation of ['first', 'second'] as const)
    it(`lets a client of the ${generation} generation hear each message as without it`, async ({ open }) => {
      const { market, listen } = await open();
      const direct = await hearServer(generation, { command: process.execPath, args });
      const { url } = await listen(['--', process.execPath, ...args]);
      const proxied = await hearServer(generation, { url, pass: market.pass });
      expect(direct.length).toBeGreaterThan(20);
      expect(withoutPrices(proxied)).toEqual(direct);
      await market.untilCounted({ successes: 4, failures: 0 });
    });
});
