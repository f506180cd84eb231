import type { JoinedTransport } from '../join-transports.ts';
import { openAddress, type UpstreamAddress } from '../open-upstream.ts';

export interface RequestHeaders {
  /** The client's `MCP-Protocol-Version`. */
  readonly version: string | undefined;
  /** The client's `Mcp-Param-*`, by which what stands before a server can read arguments. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Since MCP 2026-07-28 a closed stream is the cancellation, and nothing else is. */
  readonly isModern: boolean;
}

/** A server over HTTP for one request of a client that has no session, so that all it says belongs to that request. */
export function openForOneRequest(
  upstream: UpstreamAddress,
  { version, parameters, isModern }: RequestHeaders,
): JoinedTransport {
  const inner = openAddress(upstream);
  if (version !== undefined) inner.setProtocolVersion?.(version);
  const send = inner.send.bind(inner);
  return Object.assign(inner, {
    async send(message: { readonly method?: string }, options?: { readonly onRequestStreamEnd?: () => void }) {
      if (isModern && message.method === 'notifications/cancelled') return inner.close();
      const onRequestStreamEnd = options?.onRequestStreamEnd ?? (() => void inner.close());
      await send(message, { ...options, headers: parameters, onRequestStreamEnd });
    },
  });
}
