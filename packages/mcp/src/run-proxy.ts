import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { joinTransports, type Ended, type JoinedTransport } from './join-transports.ts';
import type { MeteringPorts } from './meter-handlers.ts';

/** The server behind the proxy: a program that speaks over its standard input and output, or an address. */
export type Upstream =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** The SDK's own 10 MiB end a session that works without the proxy. */
const messageBytesMaxDefault = 256 * 1024 * 1024;

export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly ports: MeteringPorts;
  /** The most bytes of one message over stdio, either way. Default: 256 MiB. */
  readonly messageBytesMax?: number | undefined;
  /** Hangs up as the client would. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Meters a server over this process's standard input and output. Resolves with the side that hung up first, and rejects
 * if the server cannot be started, or a message is too large.
 */
export async function runProxy(options: ProxyOptions): Promise<Ended> {
  const { upstream, ports, messageBytesMax = messageBytesMaxDefault, signal } = options;
  const near = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageBytesMax });
  signal?.addEventListener('abort', () => void near.close());
  try {
    return await joinTransports(near as JoinedTransport, openUpstream(upstream, messageBytesMax), ports);
  } finally {
    process.stdin.destroy(); // one that is paused in the middle of a message is read on, and the process never ends
  }
}

function openUpstream(upstream: Upstream, maxBufferSize: number): JoinedTransport {
  if ('url' in upstream) {
    const requestInit = { headers: { ...upstream.headers } };
    return new StreamableHTTPClientTransport(upstream.url, { requestInit }) as JoinedTransport;
  }
  const { command, args, env } = upstream;
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: 'inherit',
    maxBufferSize,
  }) as JoinedTransport;
}
