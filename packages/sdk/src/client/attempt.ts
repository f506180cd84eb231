import { operations } from '../generated/operations.ts';
import { version } from '../version.ts';
import type { OperationId } from './operation-types.ts';
import { noAnswer } from './to-error.ts';

/** Options of one call. */
export interface CallOptions {
  /** Ends the call with the signal's reason, between and within tries. */
  readonly signal?: AbortSignal | undefined;
  /** The most that one try takes. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  /** The most repeats after a failure that may be repeated. Default: that of the client. */
  readonly retries?: number | undefined;
  /** For routes that take one; made for you if you give none, so that a repeat has no second effect. */
  readonly idempotencyKey?: string | undefined;
  /** The span that calls, as W3C Trace Context has it: Tollgate's spans then belong to its trace. */
  readonly traceparent?: string | undefined;
}

export interface Connection {
  readonly url: string;
  /** The API key or access token. */
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof fetch;
}

/** The values that a method fills into its route. */
export interface Filling {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** The body, if it is JSON already. */
  readonly text?: string | undefined;
  /** The body carries its key, or those of its events, so repeating it is safe. */
  readonly isKeyedByBody?: boolean;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  /** Takes the `Idempotency-Key` header. */
  readonly isKeyed?: boolean;
}

export interface Attempt {
  readonly request: RequestInit;
  readonly url: string;
  readonly method: string;
  readonly isSafeToRepeat: boolean;
}

const idempotentMethods = new Set(['GET', 'PUT', 'DELETE']);

interface Order {
  readonly id: OperationId;
  readonly filling: Filling;
  readonly options: CallOptions;
}

/** The request of one call. Every try sends the same, under the same key. */
export function toAttempt(connection: Connection, { id, filling, options }: Order): Attempt {
  const { method, path, needsToken, isKeyed = false }: Operation = operations[id];
  const { token, url } = connection;
  if (needsToken && token === undefined) throw noAnswer('no_api_key', 'Pass `apiKey`, or set TOLLGATE_API_KEY.');
  const isKeyedByBody = filling.isKeyedByBody === true;
  const key = isKeyed && !isKeyedByBody ? keyOf(options) : undefined;
  const body = bodyOf(filling);
  return {
    url: `${url}${fill(path, filling.path)}${toSearch(filling.query)}`,
    method,
    isSafeToRepeat: idempotentMethods.has(method) || isKeyed || isKeyedByBody,
    request: {
      method,
      headers: headersOf({
        token: needsToken ? token : undefined,
        key,
        hasBody: body !== undefined,
        traceparent: options.traceparent,
      }),
      redirect: 'manual', // the token goes to the address that you named and to no other
      ...(body !== undefined && { body }),
    },
  };
}

function bodyOf({ text, body }: Filling): string | undefined {
  return text ?? (body && JSON.stringify(body));
}

function keyOf({ idempotencyKey }: CallOptions): string {
  return idempotencyKey ?? crypto.randomUUID();
}

interface HeaderValues {
  readonly token: string | undefined;
  readonly key: string | undefined;
  readonly hasBody: boolean;
  readonly traceparent: string | undefined;
}

function headersOf({ token, key, hasBody, traceparent }: HeaderValues): Record<string, string> {
  return {
    accept: 'application/json, */*',
    'user-agent': `tollgate-sdk-js/${version}`,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

function fill(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function toSearch(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? '' : `?${search}`;
}
