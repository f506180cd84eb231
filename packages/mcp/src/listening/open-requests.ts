import { randomUUID } from 'node:crypto';

import { asObject, isResponse, toError, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc.ts';
import type { RequestId } from '../json-rpc.ts';
import type { Delivery } from '../undelivered/delivery.ts';
import type { Exchange } from './exchange.ts';

interface OpenRequest {
  readonly clientId: RequestId;
  readonly progressToken: unknown;
  readonly exchange: Exchange;
  /** It asks for notifications, and gets no others. */
  readonly isSubscription: boolean;
  isCancelled: boolean;
}

/** The requests of the clients of one connection, each with the HTTP answer that its messages go to. */
export interface OpenRequests {
  /** Gives the request under an id of ours: two clients of a connection may use the same one. */
  begin(request: JsonRpcRequest, exchange: Exchange): JsonRpcRequest;
  /** Gives our id of the latest request with this id that was not given up; it is given up now. */
  giveUp(clientId: RequestId): string | undefined;
  /** Our ids of what the client of this HTTP request waits for. */
  idsOf(exchange: Exchange): readonly string[];
  /** How far the answer to the request with this id of ours has come. */
  deliveryOf(id: string): Delivery | undefined;
  /** Sends a message of the server to where it belongs. */
  deliver(message: JsonRpcMessage): void;
  /** The stream of a session, for messages that belong to no request. */
  serve(stream: Exchange): void;
  forget(id: string): void;
  /** Answers all of them with an error, and ends the stream of the session. */
  failAll(message: string): void;
  hasReader(): boolean;
}

/** Messages that come before the client has opened a stream wait for it; the oldest are dropped beyond these. */
const waitingMax = 100;
const subscriptionMeta = 'io.modelcontextprotocol/subscriptionId';

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, OpenRequest>();
  const waiting: JsonRpcMessage[] = [];
  let stream: Exchange | undefined;

  function forget(id: string): void {
    const request = open.get(id);
    open.delete(id);
    if (request !== undefined && idsOf(request.exchange).length === 0) request.exchange.end();
  }

  const idsOf = (exchange: Exchange) => [...open].filter(([, one]) => one.exchange === exchange).map(([id]) => id);

  function answer(id: string, { clientId, exchange }: OpenRequest, message: JsonRpcMessage): void {
    const result = message.result === undefined ? {} : { result: withSubscriptionId(message.result, clientId) };
    exchange.send({ ...message, ...result, id: clientId });
    forget(id);
  }

  function sendUnaddressed(message: JsonRpcMessage): void {
    const reading = Array.from(open.values()).filter(
      ({ exchange, isSubscription }) => exchange.isOpen() && !isSubscription,
    );
    const target = reading.at(-1)?.exchange ?? (stream?.isOpen() === true ? stream : undefined);
    if (target !== undefined) return target.send(message);
    waiting.push(message);
    if (waiting.length > waitingMax) waiting.shift();
  }

  return {
    begin(request, exchange) {
      const id = randomUUID();
      const meta = asObject(request.params?.['_meta']);
      const progressToken = meta['progressToken'];
      const isSubscription = request.method === 'subscriptions/listen';
      open.set(id, { clientId: request.id, progressToken, exchange, isSubscription, isCancelled: false });
      if (progressToken === undefined) return { ...request, id };
      return { ...request, id, params: { ...request.params, _meta: { ...meta, progressToken: id } } };
    },
    giveUp(clientId) {
      const latestFirst = Array.from(open).reverse();
      const found = latestFirst.find(([, one]) => one.clientId === clientId && !one.isCancelled);
      if (found !== undefined) found[1].isCancelled = true;
      return found?.[0];
    },
    idsOf,
    deliveryOf: (id) => open.get(id)?.exchange.delivery,
    deliver(message) {
      const request = isResponse(message) ? open.get(String(message.id)) : undefined;
      if (request !== undefined) return answer(String(message.id), request, message);
      if (isResponse(message)) return undefined; // its client has gone
      const [to, params] = addressed(message, open) ?? [];
      if (to === undefined) return sendUnaddressed(message);
      return to.exchange.send({ ...message, params });
    },
    serve(next) {
      stream?.end(); // a client that connects again may come before its old stream is seen to be cut
      stream = next;
      for (const message of waiting.splice(0)) next.send(message);
    },
    forget,
    failAll(message) {
      const failed = toError({ code: -32_603, message });
      for (const [id, request] of Array.from(open)) answer(id, request, failed);
      stream?.end();
    },
    hasReader: () => stream?.isOpen() === true || Array.from(open.values()).some(({ exchange }) => exchange.isOpen()),
  };
}

/** The request that a notification names, with what the notification says as the client knows it. */
function addressed(
  { method, params }: JsonRpcMessage,
  open: ReadonlyMap<string, OpenRequest>,
): readonly [OpenRequest, JsonRpcMessage['params']] | undefined {
  const named = method === 'notifications/progress' ? params?.['progressToken'] : undefined;
  const inProgress = open.get(String(named));
  if (inProgress !== undefined) return [inProgress, { ...params, progressToken: inProgress.progressToken }];
  const subscription = open.get(String(asObject(params?.['_meta'])[subscriptionMeta]));
  return subscription && [subscription, withSubscriptionId(asObject(params), subscription.clientId)];
}

function withSubscriptionId(value: Readonly<Record<string, unknown>>, clientId: RequestId) {
  const meta = asObject(value['_meta']);
  return subscriptionMeta in meta ? { ...value, _meta: { ...meta, [subscriptionMeta]: clientId } } : value;
}
