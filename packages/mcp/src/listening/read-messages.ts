import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { classifyInboundRequest } from '@modelcontextprotocol/server';

import { asObject, type JsonRpcMessage } from '../json-rpc.ts';
import type { HttpRefusal } from './admit-request.ts';
import { mismatchOf, unsupportedVersionOf } from './check-headers.ts';

/** The messages of one HTTP request. */
export interface ReadMessages {
  readonly messages: readonly JsonRpcMessage[];
  /** Whether they are of MCP 2026-07-28 or later, which has no sessions. */
  readonly isModern: boolean;
  readonly isInitialize: boolean;
}

/** A message that is refused before the server sees it is answered as JSON-RPC. */
export interface MessageRefusal extends HttpRefusal {
  readonly error: { readonly code: number; readonly data?: unknown };
  readonly id: unknown;
}

export function isRefusal(read: ReadMessages | HttpRefusal): read is HttpRefusal {
  return 'status' in read;
}

const parseError = -32_700;
const invalidRequest = -32_600;
const headerMismatch = -32_020;
const versionUnsupported = -32_022;

/** Reads requests. All bodies that are read at once may have twice the most bytes of one. */
export function createReadMessages(bytesMax: number) {
  let bytesRead = 0;

  return async function readMessages(request: IncomingMessage): Promise<ReadMessages | HttpRefusal> {
    if (!isJson(request.headers['content-type']))
      return { status: 415, message: 'Content-Type must be application/json.' };
    if (!accepts(request.headers.accept))
      return { status: 406, message: 'Accept must have application/json and text/event-stream.' };
    const text = await readBody(request);
    return typeof text === 'string' ? toMessages(text, request.headers) : text;
  };

  async function readBody(request: IncomingMessage): Promise<string | HttpRefusal> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      // The answer to one that is too large is read only if the connection stays.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        bytesRead += chunk.length;
        if (bytes > bytesMax) return { status: 413, message: `A message may have ${bytesMax} bytes here.` };
        if (bytesRead > 2 * bytesMax)
          return { status: 503, message: 'Too much is being read: try again.', headers: { 'retry-after': '1' } };
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      bytesRead -= bytes;
    }
  }
}

function toMessages(text: string, headers: IncomingHttpHeaders): ReadMessages | HttpRefusal {
  const body = parse(text);
  if (body === undefined) return refuse({ status: 400, code: parseError, message: 'Parse error: this is no JSON.' });
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...header('protocolVersionHeader', headers['mcp-protocol-version']),
    ...header('mcpMethodHeader', headers['mcp-method']),
    ...header('mcpNameHeader', headers['mcp-name']),
  });
  if (outcome.kind === 'reject') {
    const { httpStatus, code, message, data } = outcome;
    return refuse({ status: httpStatus, code, message, data, id: asObject(body)['id'] });
  }
  const messages = (Array.isArray(body) ? body : [body]) as readonly JsonRpcMessage[]; // the SDK has checked the shape
  const refusal = outcome.kind === 'modern' ? refuseModern(messages, headers) : undefined;
  if (refusal !== undefined) return refusal;
  const isInitialize = messages.some(({ method }) => method === 'initialize');
  if (isInitialize && messages.length > 1)
    return refuse({ status: 400, code: invalidRequest, message: 'Invalid Request: initialize comes alone.' });
  return { messages, isModern: outcome.kind === 'modern', isInitialize: isInitialize && outcome.kind === 'legacy' };
}

function refuseModern(messages: readonly JsonRpcMessage[], headers: IncomingHttpHeaders): MessageRefusal | undefined {
  for (const message of messages) {
    const mismatch = mismatchOf(message, headers);
    if (mismatch !== undefined) return refuse({ status: 400, code: headerMismatch, message: mismatch, id: message.id });
    const data = unsupportedVersionOf(message);
    if (data !== undefined)
      return refuse({
        status: 400,
        code: versionUnsupported,
        message: 'Unsupported protocol version',
        data,
        id: message.id,
      });
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(refused: {
  status: number;
  code: number;
  message: string;
  data?: unknown;
  id?: unknown;
}): MessageRefusal {
  const { status, code, message, data, id = null } = refused;
  return { status, message, id, error: { code, ...(data !== undefined && { data }) } };
}

function header<Name extends string>(name: Name, value: string | readonly string[] | undefined) {
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [Key in Name]?: string };
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '');
}

function accepts(accept: string | undefined): boolean {
  return accept === undefined || accept.includes('*/*') || accept.includes('text/event-stream');
}
