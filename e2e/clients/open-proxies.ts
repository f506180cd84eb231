import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioClientTransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { openMarket } from './market.ts';

const tollgate = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
/** The command that starts a program of the tests. */
export const commandOf = (program: URL) =>
  [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(program)] as const;

/** A server by the SDKs, of the generation that comes as an argument. */
export const serverCommand = commandOf(new URL('mcp-server-program.ts', import.meta.url));
/** A server by none of them. */
export const rawServerCommand = commandOf(new URL('mcp-raw-server-program.ts', import.meta.url));

export interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ProxyClient {
  call(city: string, meta?: Record<string, unknown>): Promise<Answer>;
  listTools(): Promise<{ readonly tools: readonly { readonly _meta?: Record<string, unknown> | undefined }[] }>;
  close(): Promise<void>;
}

/** A client of either generation starts the program, as every MCP client starts a server over stdio. */
const clients = {
  first: async (args: string[], env: Record<string, string>): Promise<ProxyClient> => {
    const client = new ClientV1({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransportV1({ command: process.execPath, args, env, stderr: 'inherit' }));
    return {
      call: (city, _meta) => client.callTool({ name: 'weather', arguments: { city }, _meta }) as never,
      listTools: () => client.listTools() as never,
      close: () => client.close(),
    };
  },
  second: async (args: string[], env: Record<string, string>): Promise<ProxyClient> => {
    const client = new ClientV2({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransportV2({ command: process.execPath, args, env, stderr: 'inherit' }));
    return {
      call: (city, _meta) => client.callTool({ name: 'weather', arguments: { city }, _meta } as never) as never,
      listTools: () => client.listTools() as never,
      close: () => client.close(),
    };
  },
};

/** A message of a server, as far as tests read it. */
export interface ServerMessage {
  readonly id?: unknown;
  readonly result?: Answer & Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The proxy, and a client of it that writes its messages itself. */
export interface RawProxy {
  send(message: object): void;
  call(id: unknown, city: string): void;
  messages(): readonly ServerMessage[];
  /** Waits for so many answers with an id, and gives them. */
  answers(count: number): Promise<readonly ServerMessage[]>;
  /** The text that the proxy wrote to standard error. */
  errors(): string;
  /** Closes its input, as a client does that ends. */
  hangUp(): void;
  readonly exited: Promise<number | null>;
}

function startRaw(args: readonly string[], env: Record<string, string>): RawProxy & { destroy(): void } {
  const child = spawn(process.execPath, [tollgate, 'mcp-proxy', ...args], { env, stdio: 'pipe' });
  const messages: ServerMessage[] = [];
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line) as ServerMessage));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => undefined); // it has ended
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const withId = () => messages.filter(({ id }) => id !== undefined);
  return {
    send,
    call: (id, city) => send({ id, method: 'tools/call', params: { name: 'weather', arguments: { city } } }),
    messages: () => messages,
    async answers(count) {
      await eventually(() => withId().length >= count, { withinMs: 20_000 });
      return withId();
    },
    errors: () => errors,
    hangUp: () => void child.stdin.end(),
    exited: once(child, 'exit').then(([code]) => code as number | null),
    destroy: () => void child.kill('SIGKILL'),
  };
}

/** The product, and what starts proxies before servers. */
export async function openProxies(name: string, undo: Undo) {
  buildPackage('packages/cli');
  const product = await openProduct({ name }, undo);
  const folder = openFolder(`${name}-settings`, undo);
  const upstreams: ChildService[] = [];
  undo(() => Promise.all(upstreams.map((upstream) => upstream.destroy())));
  return {
    product,
    /** A market of its own, and a function that starts the proxy for it. */
    async open() {
      const market = await openMarket(product.baseUrl());
      const { key = '' } = await market.builder.apiKeys.create({ name: 'proxy' });
      const env = {
        PATH: process.env['PATH'] ?? '',
        XDG_CONFIG_HOME: join(folder, market.slug),
        TOLLGATE_URL: product.baseUrl(),
        TOLLGATE_API_KEY: key,
        TOLLGATE_KEY: market.pass,
      };
      const start = async (generation: keyof typeof clients, args: readonly string[], more = {}) => {
        const client = await clients[generation]([tollgate, 'mcp-proxy', ...args], { ...env, ...more });
        undo(() => client.close());
        return client;
      };
      const startRawProxy = (args: readonly string[], more = {}): RawProxy => {
        const proxy = startRaw(args, { ...env, ...more });
        undo(() => proxy.destroy());
        return proxy;
      };
      /** The program that an MCP client starts. */
      const programOf = (args: readonly string[]) => ({
        command: process.execPath,
        args: [tollgate, 'mcp-proxy', ...args],
        env,
        stderr: 'inherit' as const,
      });
      return { market, start, startRaw: startRawProxy, programOf, spool: join(folder, market.slug, 'tollgate/spool') };
    },
    async startHttpServer() {
      const [command, ...args] = serverCommand;
      const upstream = startChildService({ command, args: [...args, 'http'] });
      upstreams.push(upstream);
      const [url = ''] = await upstream.line(/^http:.*$/m, { withinMs: 20_000 });
      return url;
    },
  };
}
