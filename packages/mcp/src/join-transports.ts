import { createToServer } from './create-to-server.ts';
import { readAgreedVersion, type JsonRpcMessage } from './json-rpc.ts';
import type { MeteringPorts } from './meter-handlers.ts';
import { createMeteredConnection } from './metered-connection.ts';
import { stdioKey } from './stdio-key.ts';

/** The part of a transport that the proxy uses. The transports of both generations of the MCP SDK have it. */
export interface JoinedTransport {
  start(): Promise<void>;
  // The SDKs type messages more narrowly, each in its own way.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(message: any, options?: any): Promise<void>;
  // oxlint-disable-next-line typescript/no-explicit-any
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  close(): Promise<void>;
  /** A transport over HTTP has this; it names the version in a header of each request. */
  setProtocolVersion?(version: string): void;
  /** A transport over HTTP has this once the server has begun a session. */
  readonly sessionId?: string | undefined;
  /** Tells a server over HTTP that its session is over. */
  terminateSession?(): Promise<void>;
}

/** The side that hung up first. */
export type Ended = 'client' | 'server';

/** Clients wait about two seconds before they kill a server over stdio. */
export const drainedWithinMs = 1_500;
/** For so long a tool whose client gave up may go on. */
export const givenUpMs = 600_000;

/**
 * Puts a proxy that meters between a client (`near`) and a server that nobody can change (`far`): each message goes on
 * as it is, but for calls that are refused and prices in the list of tools. Resolves when either side has closed and all
 * calls are recorded; rejects then if a message was too large.
 */
export async function joinTransports(
  near: JoinedTransport,
  far: JoinedTransport,
  ports: MeteringPorts,
): Promise<Ended> {
  let isNearOpen = true;
  let failure: Error | undefined;
  const ended = new Promise<Ended>((resolve) => {
    near.onclose = () => {
      isNearOpen = false;
      resolve('client');
    };
    far.onclose = () => resolve('server');
  });
  const connection = createMeteredConnection({
    ...ports,
    connectionKey: stdioKey(near),
    isShared: false,
    givenUpMs,
    toServer: createToServer(far, ports.onError),
    toClient: async (message) => void (isNearOpen && (await near.send(message, { relatedRequestId: message.id }))),
  });
  far.onerror = (error) => void (isTooLarge(error) && (failure = tooLarge('the server', error)));
  near.onerror = (error) => void (isTooLarge(error) && (failure = tooLarge('the client', error)));
  far.onmessage = (message: JsonRpcMessage) => {
    const version = readAgreedVersion(message);
    if (version !== undefined) far.setProtocolVersion?.(version);
    connection.fromServer(message);
  };
  near.onmessage = connection.fromClient;
  await far.start();
  await near.start();
  const first = await ended;
  if (first === 'client') await connection.drain(drainedWithinMs);
  await Promise.allSettled([far.close(), near.close()]);
  await connection.end();
  if (failure !== undefined) throw failure;
  return first;
}

/** So the SDKs' buffers say it, before they close. */
export function isTooLarge({ message }: Error): boolean {
  return message.startsWith('ReadBuffer exceeded maximum size');
}

function tooLarge(side: string, cause: Error): Error {
  const message = `a message of ${side} is larger than this proxy takes, so the session ends: raise --max-message-mib`;
  return new Error(message, { cause });
}
