import { isResponse, type JsonRpcMessage, type JsonRpcRequest } from './json-rpc.ts';
import type { Ran } from './incoming.ts';

/** The requests to a server that wait for their answers, each under an id of ours. */
export interface Requests {
  /** Sends the request under `id`, and gives its answer under the id that it came with. */
  ask(id: string, request: JsonRpcRequest): Promise<Ran>;
  /** Whether the message answers one of these requests. */
  answer(message: JsonRpcMessage): boolean;
  /** No answer will come for this request. */
  lose(id: string): void;
  loseAll(): void;
}

/**
 * Sends a request. Gives the answer to one that did not reach the server; undefined if it was sent. Calls `lose` if no
 * answer can come any more.
 */
export type SendRequest = (request: JsonRpcRequest, lose: () => void) => Promise<Ran | undefined>;

export function createRequests(send: SendRequest): Requests {
  const open = new Map<unknown, (ran: Ran) => void>();

  function settle(id: unknown, ran: Ran): boolean {
    const resolve = open.get(id);
    open.delete(id);
    resolve?.(ran);
    return resolve !== undefined;
  }

  const lose = (id: unknown) => void settle(id, { response: undefined });
  return {
    async ask(id, request) {
      const answered = new Promise<Ran>((resolve) => open.set(id, resolve));
      const failed = await send({ ...request, id }, () => lose(id));
      if (failed !== undefined) settle(id, failed);
      const ran = await answered;
      return { ...ran, response: ran.response && { ...ran.response, id: request.id } };
    },
    answer: (message) => isResponse(message) && settle(message.id, { response: message }),
    lose,
    loseAll: () => Array.from(open.keys()).forEach(lose),
  };
}
