import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';

/** How far an answer has come on its way to its client. */
export interface Delivery {
  /** Whether the client hung up before it had all. */
  isLost(): boolean;
  /** Resolves when the whole answer was given to the operating system (true), or when the client hung up before (false). */
  readonly ended: Promise<boolean>;
}

const known = new WeakMap<ServerResponse, Delivery>();

/** Bytes that the operating system took and that do not arrive count as delivered: HTTP tells no more. */
export function deliveryOf(response: ServerResponse): Delivery {
  const delivery = known.get(response) ?? watch(response);
  known.set(response, delivery);
  return delivery;
}

function watch(response: ServerResponse): Delivery {
  let isLost = response.destroyed;
  let isWhole = false;
  const ended = new Promise<boolean>((resolve) => {
    if (isLost) resolve(false);
    response.once('finish', () => {
      isWhole = !isLost; // an answer that ends after its client hung up finishes, too
      resolve(isWhole);
    });
    response.once('close', () => {
      isLost = !isWhole;
      resolve(isWhole);
    });
  });
  return { isLost: () => isLost, ended };
}

const answering = new AsyncLocalStorage<ServerResponse>();
let isFollowing = false;

/**
 * Lets `currentDelivery` know the HTTP answers of this process. The MCP SDK shows a handler no answer, and tells of no
 * client of a session that hung up.
 */
export function followRequests(): void {
  if (isFollowing) return;
  isFollowing = true;
  subscribe('http.server.request.start', (message) => {
    answering.enterWith((message as { readonly response: ServerResponse }).response);
  });
}

/** The answer to the HTTP request that runs here. Undefined: there is none, or it cannot be known. */
export function currentDelivery(): Delivery | undefined {
  const response = answering.getStore();
  return response && deliveryOf(response);
}
