import type { JsonRpcMessage } from '../json-rpc.ts';

const methodNotFound = -32_601;
/** Headers that differ from the body, a capability that the client lacks, a version that the server does not speak. */
const badRequests = new Set([-32_020, -32_021, -32_022]);

/**
 * The status of an answer whose first message is this one. Since MCP 2026-07-28 a request that the server does not know or cannot
 * take has a status of its own; an error within a tool has 200, as every error had before.
 */
export function statusOf({ method }: JsonRpcMessage, first: JsonRpcMessage | undefined): number {
  const code = first?.error?.code ?? 0;
  if (badRequests.has(code)) return 400;
  return code === methodNotFound && method !== 'tools/call' ? 404 : 200;
}
