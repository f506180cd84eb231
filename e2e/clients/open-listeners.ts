import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket, type Market } from './market.ts';

const tollgate = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/** A proxy that listens. */
export interface Listener {
  readonly url: string;
  readonly child: ChildService;
}

/** A market, and what starts proxies that listen for its builder. */
export interface ListenedMarket {
  readonly market: Market;
  readonly spool: string;
  listen(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Listener>;
}

/** The product, and what starts proxies that listen before servers. */
export async function openListeners(name: string, undo: Undo) {
  buildPackage('packages/cli');
  const product = await openProduct({ name }, undo);
  const children: ChildService[] = [];
  const folder = openFolder(`${name}-settings`, undo, () => children.map((child) => child.output()).join('\n'));
  undo(() => Promise.all(children.map((child) => child.destroy())));
  return {
    product,
    async open(): Promise<ListenedMarket> {
      const market = await openMarket(product.baseUrl());
      const { key = '' } = await market.builder.apiKeys.create({ name: 'proxy' });
      const settings = join(folder, market.slug);
      const spool = join(settings, 'tollgate/spool');
      const own = { XDG_CONFIG_HOME: settings, TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: key };
      return {
        market,
        spool,
        async listen(args, env = {}) {
          const all = [tollgate, 'mcp-proxy', '--listen', '0', '--tool', market.slug, ...args];
          const child = startChildService({ command: process.execPath, args: all, env: { ...own, ...env } });
          children.push(child);
          const [, url = ''] = await child.line(/serves MCP at (\S+)$/m, { withinMs: 20_000 });
          return { url, child };
        },
      };
    },
  };
}
