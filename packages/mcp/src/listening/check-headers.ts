import type { IncomingHttpHeaders } from 'node:http';

import { asObject, type JsonRpcMessage } from '../json-rpc.ts';

/** The parameter that `Mcp-Name` repeats, by the method of the request. */
const namedBy = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The versions without sessions that the proxy speaks. A program over stdio may check only that of its first request. */
const versions: readonly unknown[] = ['2026-07-28'];

/** A version in a request that is refused, and those that are not. */
export function unsupportedVersionOf({ params }: JsonRpcMessage) {
  const requested = asObject(params?.['_meta'])['io.modelcontextprotocol/protocolVersion'];
  return requested === undefined || versions.includes(requested) ? undefined : { supported: versions, requested };
}

/**
 * Since MCP 2026-07-28 headers repeat what a request says, so that what stands before a server can tell requests apart without
 * reading them. Returns why a request is refused whose headers lack that or say something else.
 */
export function mismatchOf(
  { id, method = '', params }: JsonRpcMessage,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (id === undefined) return undefined;
  if (headers['mcp-protocol-version'] === undefined) return 'Header mismatch: MCP-Protocol-Version is missing.';
  const told = headers['mcp-method'];
  if (told !== method) return `Header mismatch: Mcp-Method must be ${method}.`;
  const value = params?.[namedBy.get(method) ?? ''];
  if (typeof value !== 'string') return undefined;
  return decode(headers['mcp-name']) === value
    ? undefined
    : `Header mismatch: Mcp-Name must name what ${method} asks for.`;
}

/** A value that no header can carry comes as `=?base64?…?=`. Undefined: it is missing, or no such text. */
function decode(header: string | string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header.trim() : undefined;
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(text ?? '') ?? [];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined;
}
