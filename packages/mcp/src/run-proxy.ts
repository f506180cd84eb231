import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { joinTransports, type Ended, type JoinedTransport } from './join-transports.ts';
import type { MeteringPorts } from './meter-handlers.ts';
import { messageBytesMaxDefault, openUpstream, type Upstream } from './open-upstream.ts';

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
