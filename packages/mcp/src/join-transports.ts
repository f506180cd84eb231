import type { JsonRpcMessage } from './json-rpc.ts';
import { meterTransport, type MeterableTransport, type MeteringPorts } from './meter-transport.ts';

export interface JoinedTransport extends MeterableTransport {
  close(): Promise<void>;
}

/**
 * Puts a proxy that meters between a client (`near`) and a server that nobody can change (`far`): each message goes on
 * as it is, but for calls that are refused and prices in the list of tools. Resolves when either side has closed.
 */
export async function joinTransports(near: JoinedTransport, far: JoinedTransport, ports: MeteringPorts): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    near.onclose = resolve;
    far.onclose = resolve;
  });
  far.onmessage = (message: JsonRpcMessage) => void near.send(message).catch(ports.onError);
  near.onmessage = (message: JsonRpcMessage) =>
    void far.send(message).catch((error: unknown) => {
      ports.onError(error);
      return answerUndelivered(near, message);
    });
  meterTransport(near, ports);
  await far.start();
  await near.start();
  await closed;
  await Promise.allSettled([far.close(), near.close()]);
}

/** A request that did not reach the server gets an answer, so that the client does not wait for ever. */
async function answerUndelivered(near: JoinedTransport, message: JsonRpcMessage): Promise<void> {
  if (message.method === undefined || message.id === undefined) return;
  const error = { code: -32_603, message: 'The server behind the proxy could not be reached.' };
  await near.send({ jsonrpc: '2.0', id: message.id, error });
}
