import { randomUUID } from 'node:crypto';

import type { JsonRpcMessage, JsonRpcRequest, RequestId } from './json-rpc.ts';
import type { Ran } from './incoming.ts';
import { createRequests, type SendRequest } from './requests.ts';

/** A request of the client that is not answered yet. Its client may have others with the same id. */
export interface Forwarded {
  readonly clientId: RequestId;
  /** The id that the server knows. */
  readonly id: string;
  isSent: boolean;
  isCancelled: boolean;
}

export interface ForwardingPorts {
  readonly send: SendRequest;
  readonly answer: (message: JsonRpcMessage) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** So long a request that was given up may go on before its answer is taken for lost. */
  readonly givenUpMs: number;
}

/** The requests that the server gets under ids of ours. */
export interface Forwarding {
  /** Answers the client with what `answer` gives; with nothing if it gives nothing. */
  begin(request: JsonRpcRequest, answer: (forwarded: Forwarded) => Promise<JsonRpcMessage | undefined>): void;
  ask(forwarded: Forwarded, request: JsonRpcRequest): Promise<Ran>;
  /** Whether the message answers one of these requests. */
  take(message: JsonRpcMessage): boolean;
  /** The client gives up a request. Of several with one id that is the latest, as for servers. */
  giveUp(clientId: RequestId): Forwarded | undefined;
  /** Gives up every request that was not sent yet. */
  giveUpUnsent(): void;
  loseAnswers(): void;
  /** Resolves when all are answered. */
  allAnswered(): Promise<unknown>;
}

export function createForwarding({ send, answer, onError, givenUpMs }: ForwardingPorts): Forwarding {
  const requests = createRequests(send);
  const open = new Map<Forwarded, Promise<void>>();
  return {
    begin(request, answerOf) {
      const forwarded = { clientId: request.id, id: randomUUID(), isSent: false, isCancelled: false };
      const answered = answerOf(forwarded)
        .then((response) => response && answer({ ...response, id: request.id }))
        .catch(onError)
        .finally(() => open.delete(forwarded));
      open.set(forwarded, answered);
    },
    ask(forwarded, request) {
      forwarded.isSent = true;
      return requests.ask(forwarded.id, request);
    },
    take: requests.answer,
    giveUp(clientId) {
      const latestFirst = Array.from(open.keys()).reverse();
      const found = latestFirst.find((one) => one.clientId === clientId && !one.isCancelled);
      if (found === undefined) return undefined;
      found.isCancelled = true;
      if (found.isSent) setTimeout(() => requests.lose(found.id), givenUpMs).unref();
      return found;
    },
    giveUpUnsent() {
      for (const forwarded of open.keys()) if (!forwarded.isSent) forwarded.isCancelled = true;
    },
    loseAnswers: requests.loseAll,
    allAnswered: () => Promise.all(open.values()),
  };
}
