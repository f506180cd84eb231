import type { JsonRpcMessage } from './json-rpc.ts';
import { createMeteredConnection, type ConnectionPorts, type Deliver } from './metered-connection.ts';
import type { AdmitCall } from './metering.ts';
import { stdioKey } from './stdio-key.ts';

/** The part of a transport that metering uses. The transports of both generations of the MCP SDK have it. */
export interface MeterableTransport {
  start(): Promise<void>;
  // The SDKs type messages more narrowly, each in its own way.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(message: any, options?: any): Promise<void>;
  // oxlint-disable-next-line typescript/no-explicit-any
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  onclose?: (() => void) | undefined;
}

export interface MeteringPorts extends Omit<ConnectionPorts, 'deliver' | 'answer' | 'admitCall'> {
  readonly admitCall: AdmitCall;
}

/**
 * Meters all calls that arrive over `transport`, whichever server it serves. A server sets its handlers and then starts
 * the transport, so metering goes between the two at that moment.
 */
export function meterTransport<T extends MeterableTransport>(transport: T, ports: MeteringPorts): T {
  const start = transport.start.bind(transport);
  const send = transport.send.bind(transport);
  let deliver: Deliver = () => undefined;
  const ownKey = stdioKey(transport);
  const connection = createMeteredConnection({
    ...ports,
    admitCall: (call, extra) => ports.admitCall(call, extra, ownKey),
    deliver: (message, extra) => deliver(message, extra),
    answer: (message) => send(message, { relatedRequestId: message.id }),
  });
  transport.send = async (message: JsonRpcMessage, options?: unknown) =>
    send(await connection.beforeSend(message), options);
  transport.start = () => {
    const { onmessage, onclose } = transport;
    deliver = (message, extra) => onmessage?.call(transport, message, extra);
    transport.onmessage = connection.receive;
    transport.onclose = () => {
      connection.close();
      onclose?.call(transport);
    };
    return start();
  };
  return transport;
}
