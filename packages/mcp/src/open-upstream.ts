import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import type { JoinedTransport } from './join-transports.ts';

/** A server behind the proxy that is an address. */
export interface UpstreamAddress {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The server behind the proxy: a program that speaks over its standard input and output, or an address. */
export type Upstream =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | UpstreamAddress;

/** The SDK's own 10 MiB end a session that works without the proxy. */
export const messageBytesMaxDefault = 256 * 1024 * 1024;

/** A connection to the server that is not started yet. It knows no header of any caller. */
export function openUpstream(upstream: Upstream, maxBufferSize: number): JoinedTransport {
  if ('url' in upstream) return openAddress(upstream);
  const { command, args, env } = upstream;
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: 'inherit',
    maxBufferSize,
  }) as JoinedTransport;
}

export function openAddress({ url, headers }: UpstreamAddress): JoinedTransport {
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }) as JoinedTransport;
}
