import { createHash } from 'node:crypto';

import { asObject } from './json-rpc.ts';

/** The `_meta` entry of a call that carries the caller's key, for clients that can set no header. */
export const keyMeta = 'tollgate/key';

/** The `_meta` entry that names a call, so that a client may send it again without paying twice. */
export const idempotencyMeta = 'tollgate/idempotency_key';

/** The keys of `_meta` that are meant for metering alone. */
export const ownMeta = [keyMeta, idempotencyMeta] as const;

/**
 * The key of the caller who pays: of the call itself, else the bearer token of streamable HTTP. Undefined if the caller
 * sent none. `extra` is what the MCP SDK tells a handler: `authInfo` and `requestInfo` in its first generation, `http` in
 * its second.
 */
export function readCallerKey(meta: Readonly<Record<string, unknown>>, extra: unknown): string | undefined {
  const own = meta[keyMeta];
  if (typeof own === 'string' && own !== '') return own;
  const { authInfo, requestInfo, http } = asObject(extra);
  const second = asObject(http);
  const token = asObject(authInfo ?? second['authInfo'])['token'];
  if (typeof token === 'string' && token !== '') return token;
  return bearerOf(authorizationOf(second['req']) ?? authorizationOf(requestInfo));
}

/**
 * The pass for which the bearer token of a call stands, if `tokenVerifier` has found it. Undefined: the call has a key of its own,
 * or nobody has checked whose token it is.
 */
export function readPassId(meta: Readonly<Record<string, unknown>>, extra: unknown): string | undefined {
  if (meta[keyMeta] !== undefined) return undefined;
  const { authInfo, http } = asObject(extra);
  const { passId } = asObject(asObject(authInfo ?? asObject(http)['authInfo'])['extra']);
  return typeof passId === 'string' ? passId : undefined;
}

export interface Payer {
  readonly passId: string | undefined;
  readonly callerKey: string | undefined;
  readonly connectionKey?: string | undefined;
}

/**
 * Names who pays, for what is remembered of a payer: by the pass where it is known, since its tokens change every hour. No key has
 * the name of a pass.
 */
export function nameOfPayer({ passId, callerKey, connectionKey }: Payer): string | undefined {
  if (passId !== undefined) return `pass ${passId}`;
  const key = callerKey ?? connectionKey;
  return key === undefined ? undefined : `key ${key}`;
}

/** Names a caller without being the key: keys are no part of what is remembered. */
export function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function authorizationOf(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null || !('headers' in request)) return undefined;
  const { headers } = request;
  const value = headers instanceof Headers ? headers.get('authorization') : asObject(headers)['authorization'];
  return typeof value === 'string' ? value : undefined;
}

function bearerOf(header: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}
