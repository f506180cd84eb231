import { readAgreedVersion, type JsonRpcMessage } from './json-rpc.ts';
import { meterTransport, type MeterableTransport, type MeteringPorts } from './meter-transport.ts';

export interface JoinedTransport extends MeterableTransport {
  close(): Promise<void>;
  /** Of a transport over HTTP, which names the version in a header of each request. */
  setProtocolVersion?(version: string): void;
}

/** The side that hung up first. */
export type Ended = 'client' | 'server';

/**
 * Puts a proxy that meters between a client (`near`) and a server that nobody can change (`far`): each message goes on
 * as it is, but for calls that are refused and prices in the list of tools. Resolves when either side has closed.
 */
export async function joinTransports(
  near: JoinedTransport,
  far: JoinedTransport,
  ports: MeteringPorts,
): Promise<Ended> {
  const ended = new Promise<Ended>((resolve) => {
    near.onclose = () => resolve('client');
    far.onclose = () => resolve('server');
  });
  far.onmessage = (message: JsonRpcMessage) => {
    const version = readAgreedVersion(message);
    if (version !== undefined) far.setProtocolVersion?.(version);
    void near.send(message).catch(ports.onError);
  };
  near.onmessage = (message: JsonRpcMessage) =>
    void far.send(message).catch((error: unknown) => {
      ports.onError(error);
      return answerUndelivered(near, message);
    });
  meterTransport(near, ports);
  await far.start();
  await near.start();
  const first = await ended;
  await Promise.allSettled([far.close(), near.close()]);
  return first;
}

/** A request that did not reach the server gets an answer, so that the client does not wait for ever. */
async function answerUndelivered(near: JoinedTransport, message: JsonRpcMessage): Promise<void> {
  if (message.method === undefined || message.id === undefined) return;
  const error = { code: -32_603, message: 'The server behind the proxy could not be reached.' };
  await near.send({ jsonrpc: '2.0', id: message.id, error });
}
