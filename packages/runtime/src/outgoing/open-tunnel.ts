import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { OutgoingError } from './outgoing-error.ts';

export interface Tunnel {
  /** An `http` or `https` URL; its user name and password are shown to the proxy. */
  readonly proxyUrl: string;
  /** The proxy is asked for the first that it reaches. Never a name: the proxy would resolve it anew. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Opens a connection through an HTTP proxy (CONNECT). Rejects with `OutgoingError` where the proxy opens none. */
export async function openTunnel({ addresses, ...tunnel }: Tunnel): Promise<Socket> {
  let refusal: unknown;
  for (const address of addresses) {
    try {
      return await connectThrough({ ...tunnel, address });
    } catch (error) {
      tunnel.signal.throwIfAborted();
      refusal = error;
    }
  }
  throw refusal;
}

interface Connect extends Omit<Tunnel, 'addresses'> {
  readonly address: string;
}

function connectThrough({ proxyUrl, address, port, signal }: Connect): Promise<Socket> {
  const { protocol, hostname, port: proxyPort, username, password } = new URL(proxyUrl);
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const request = (protocol === 'https:' ? httpsRequest : httpRequest)({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: proxyPort === '' ? undefined : proxyPort,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, 'user-agent': 'Tollgate', ...credentialsOf({ username, password }) },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    request.on('connect', ({ statusCode }, socket: Socket, head: Buffer) => {
      if (statusCode === 200) return resolve(takeOver(socket, head));
      socket.destroy();
      reject(refused(statusCode));
    });
    request.on('response', (answer) => {
      answer.destroy();
      reject(refused(answer.statusCode));
    });
    request.on('error', (error) => reject(new OutgoingError('failed', 'The proxy did not answer.', error))).end();
  });
}

/** The bytes that came with the proxy's answer are the receiver's first. */
function takeOver(socket: Socket, head: Buffer): Socket {
  if (head.length > 0) socket.unshift(head);
  return socket;
}

function credentialsOf({ username, password }: Pick<URL, 'username' | 'password'>): Record<string, string> {
  if (username === '' && password === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}

function refused(status: number | undefined): OutgoingError {
  return new OutgoingError('failed', `The proxy opened no connection (${status ?? 'no status'}).`);
}
