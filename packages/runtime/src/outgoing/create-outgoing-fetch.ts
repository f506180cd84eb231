/**
 * Calls addresses that strangers name: the one way out for them. A call goes to the public Internet by https, or nowhere.
 *
 * A name is resolved by us, every address of it is judged, and the connection goes to these addresses and no others: it is
 * resolved nowhere again. Each call has a connection of its own, so each is judged anew. A name that leads elsewhere at its
 * second look-up (DNS rebinding) gains nothing.
 */
import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { judgeAddress } from './judge-address.ts';
import { openTunnel } from './open-tunnel.ts';
import { OutgoingError } from './outgoing-error.ts';
import { readTarget, type Target } from './read-target.ts';
import { resolveName, type ResolveName } from './resolve-name.ts';

export interface OutgoingOptions {
  /** Also calls this machine, by http too: for a sandbox whose tools run beside it. */
  readonly allowsLoopback: boolean;
  /** Time for all of a call, from the name to the last byte. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** The most bytes of an answer. Default: 65,536. */
  readonly answerBytesMax?: number | undefined;
  /** Takes the beginning of a longer answer for the whole. Otherwise it is refused. */
  readonly cutsAnswers?: true | undefined;
  /** An HTTP proxy through which every call goes, to a judged address. Default: none. */
  readonly proxyUrl?: string | undefined;
  /** Default: the DNS. */
  readonly resolve?: ResolveName | undefined;
  /** Certificates of authorities, as PEM. Default: those that Node trusts. */
  readonly ca?: string | undefined;
}

export interface OutgoingInit {
  /** Default: GET. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls an address, and resolves with the whole answer, whatever its status: a redirect is an answer too, and is not
 * followed. Rejects with `OutgoingError`.
 */
export type OutgoingFetch = (url: string | URL, init?: OutgoingInit) => Promise<Response>;

const timeoutMsDefault = 10_000;
const answerBytesMaxDefault = 65_536;
const headerBytesMax = 16_384;

export function createOutgoingFetch(options: OutgoingOptions): OutgoingFetch {
  const { timeoutMs = timeoutMsDefault, answerBytesMax = answerBytesMaxDefault } = options;
  return async function outgoingFetch(url, init = {}) {
    const target = readTarget(url);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    try {
      return await untilAborted(call(target, { ...init, signal }), signal);
    } catch (error) {
      init.signal?.throwIfAborted();
      if (timeout.aborted) throw new OutgoingError('time', `There was no whole answer within ${timeoutMs} ms.`, error);
      throw error instanceof OutgoingError ? error : failed(error);
    }
  };

  async function call(target: Target, init: OutgoingInit & { readonly signal: AbortSignal }): Promise<Response> {
    const addresses = await admittedAddresses(target, options, init.signal);
    const { ca, proxyUrl } = options;
    const { port } = target;
    const tunnel = proxyUrl === undefined ? undefined : await openTunnel({ ...init, proxyUrl, addresses, port });
    const answer = await ask(target, { ...init, addresses, ca, tunnel });
    return toResponse(answer, { bytesMax: answerBytesMax, cuts: options.cutsAnswers === true });
  }
}

/** Nothing that a receiver does, and no state of a connection, outlasts the time of its call. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the call is over')), { once: true });
    work.then(resolve, reject);
  });
}

/** The addresses of a target, each of which may be called. Throws if one may not. */
async function admittedAddresses(
  { hostname, isLiteral, isTls }: Target,
  { allowsLoopback, resolve = resolveName }: OutgoingOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isLiteral ? [hostname] : await resolve(hostname, signal);
  signal.throwIfAborted();
  if (addresses.length === 0) throw new OutgoingError('address', 'The DNS knows no address for this name.');
  const reaches = new Set(addresses.map(judgeAddress));
  const isHere = reaches.has('loopback');
  if (reaches.size > 1 || reaches.has('elsewhere') || (isHere && !allowsLoopback))
    throw new OutgoingError('address', notPublic);
  if (!isTls && !isHere) throw new OutgoingError('url', 'The address does not begin with https://.');
  return addresses;
}

const notPublic =
  'The address does not lead to the public Internet. A sandbox calls its own machine with OUTGOING_ALLOW=loopback.';

interface Call extends OutgoingInit {
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  readonly ca: string | undefined;
  /** A connection to the target, through a proxy. Undefined: it is made here. */
  readonly tunnel: Socket | undefined;
}

function ask(target: Target, call: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = begin(target, call);
    call.signal.addEventListener('abort', () => call.tunnel?.destroy(), { once: true });
    const closed = () => reject(new Error('closed without an answer')); // after a change of protocol there is no error
    request.on('response', resolve).on('error', reject).on('close', closed).end(call.body);
  });
}

function begin(
  { isTls, hostname, port, path }: Target,
  { addresses, method = 'GET', headers, ...call }: Call,
): ClientRequest {
  const options: RequestOptions = {
    hostname,
    port,
    path,
    method,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Tollgate', ...headers },
    ...connectionOf({ isTls, hostname }, { addresses, ...call }),
    maxHeaderSize: headerBytesMax,
    signal: call.signal,
  };
  // Said here, so that no variable of the environment turns it off.
  return isTls ? httpsRequest({ ...options, rejectUnauthorized: true, ca: call.ca }) : httpRequest(options);
}

/** A connection is of one call: an agent would keep it for others. */
function connectionOf(
  { isTls, hostname }: Pick<Target, 'isTls' | 'hostname'>,
  { tunnel, addresses, ca }: Pick<Call, 'tunnel' | 'addresses' | 'ca'>,
): RequestOptions {
  if (tunnel === undefined) return { agent: false, lookup: lookUpIn(addresses) };
  const servername = isIP(hostname) === 0 ? hostname : '';
  const secure = { socket: tunnel, host: hostname, servername, rejectUnauthorized: true, ca };
  return { createConnection: () => (isTls ? connectTls(secure) : tunnel) };
}

/** Node asks it in place of the DNS, and tries the addresses one after the other. It does not ask for a literal. */
function lookUpIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, callback) => {
    if (all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

interface Bound {
  readonly bytesMax: number;
  readonly cuts: boolean;
}

async function toResponse(answer: IncomingMessage, bound: Bound): Promise<Response> {
  const { statusCode: status = 0, headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = await readBounded(answer, bound);
  return new Response(bodiless.has(status) ? null : body, { status, headers });
}

/** Leaving the loop destroys the answer, and its connection with it. */
async function readBounded(answer: IncomingMessage, { bytesMax, cuts }: Bound): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax && cuts) return Buffer.concat([...chunks, chunk]).subarray(0, bytesMax);
    if (bytes > bytesMax) throw new OutgoingError('size', `The answer has more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failed(error: unknown): OutgoingError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? ` (${String(error.code)})` : '';
  return new OutgoingError('failed', `The address did not answer${code}.`, error);
}
