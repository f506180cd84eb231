import type { ServerResponse } from 'node:http';

import type { JsonRpcMessage } from '../json-rpc.ts';
import { deliveryOf, type Delivery } from '../undelivered/delivery.ts';

/** The answer to one HTTP request, which carries messages for as long as it is open. */
export interface Exchange {
  /** Sends the head of the answer now, or after a time. Without this it goes with the first message. */
  open(afterMs?: number): void;
  /** Sends a message; one that comes when nobody reads any more is dropped. */
  send(message: JsonRpcMessage): void;
  end(): void;
  isOpen(): boolean;
  readonly delivery: Delivery;
  /** Calls back once the client has hung up before the end. */
  onHangUp(callback: () => void): void;
}

export interface ExchangeOptions {
  /** Gives further headers. Gets the first message, if the head goes with one. */
  readonly headersFor: (first: JsonRpcMessage | undefined) => Readonly<Record<string, string>>;
  /** Gives the status. Gets the first message, if the head goes with one; that is all of the answer where it is no 2xx. Default: 200. */
  readonly statusFor?: (first: JsonRpcMessage | undefined) => number;
  /** A client that reads so slowly that more bytes wait is hung up on. */
  readonly waitingBytesMax: number;
}

/** Proxies on the way close a stream that is silent for a minute. */
const keepAliveMs = 15_000;

/** An event stream. Both protocol eras let a server answer each request with one. */
export function createExchange(response: ServerResponse, options: ExchangeOptions): Exchange {
  const { headersFor, statusFor = () => 200, waitingBytesMax } = options;
  let isEnded = false;
  const isOpen = () => !isEnded && !response.destroyed;
  const keepAlive = setInterval(
    () => response.headersSent && isOpen() && response.write(': keepalive\n\n'),
    keepAliveMs,
  );
  response.once('close', () => clearInterval(keepAlive));

  function writeHead(first: JsonRpcMessage | undefined): void {
    if (response.headersSent) return;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headersFor(first),
    });
    response.flushHeaders();
  }

  function refuse(status: number, error: JsonRpcMessage): void {
    isEnded = true;
    response.writeHead(status, { 'content-type': 'application/json', ...headersFor(error) });
    response.end(JSON.stringify(error));
  }

  return {
    open(afterMs = 0) {
      if (afterMs === 0) return void (isOpen() && writeHead(undefined));
      const opening = setTimeout(() => isOpen() && writeHead(undefined), afterMs);
      response.once('close', () => clearTimeout(opening));
    },
    send(message) {
      if (!isOpen()) return;
      const status = response.headersSent ? 200 : statusFor(message);
      if (status !== 200) return refuse(status, message);
      writeHead(message);
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      // One message may be as large as it likes: only what waits behind it counts.
      if (response.writableLength > waitingBytesMax * 2) response.destroy();
    },
    end() {
      if (!isOpen()) return;
      isEnded = true;
      writeHead(undefined);
      response.end();
    },
    isOpen,
    delivery: deliveryOf(response),
    onHangUp(callback) {
      if (isEnded) return;
      if (response.destroyed) callback();
      else response.once('close', () => isEnded || callback());
    },
  };
}
