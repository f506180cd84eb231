import type { JsonRpcMessage } from './json-rpc.ts';

/** A call that carries an idempotency key, while it runs and for some time after. */
export interface KeyedCall {
  /** Stands for the arguments: a repeat must have the same. */
  readonly arguments: string;
  /** Stands for the input that the call brought. Undefined: it is new. */
  readonly continuation: string | undefined;
  /** The response of the call; undefined if it ended without one, so that a repeat runs anew. */
  readonly response: Promise<JsonRpcMessage | undefined>;
}

export interface Repeats {
  find(key: string): KeyedCall | undefined;
  /** Remembers a call that begins now. The function that comes back ends it. */
  begin(key: string, call: Omit<KeyedCall, 'response'>): (response: JsonRpcMessage | undefined) => void;
}

/**
 * The calls with an idempotency key, so that a client that sends a call again runs it once and pays once. The memory is
 * of this process. A repeat that comes later than `keepMs`, or after a restart, runs and pays anew: a repeat that is
 * charged nothing must not run a tool.
 */
export function createRepeats(options: { keepMs: number; callsMax: number; nowMs: () => number }): Repeats {
  const calls = new Map<string, KeyedCall & { readonly untilMs: number }>();
  return {
    find(key) {
      const call = calls.get(key);
      return call !== undefined && call.untilMs > options.nowMs() ? call : undefined;
    },
    begin(key, call) {
      const { promise, resolve } = deferred();
      const begun = { ...call, response: promise, untilMs: options.nowMs() + options.keepMs };
      calls.delete(key); // an expired one would keep its place in the order
      calls.set(key, begun);
      for (const oldest of calls.keys()) {
        if (calls.size <= options.callsMax) break;
        calls.delete(oldest);
      }
      return (response) => {
        if (response === undefined && calls.get(key) === begun) calls.delete(key);
        resolve(response);
      };
    },
  };
}

/** Node 20 has no `Promise.withResolvers`. */
function deferred(): {
  promise: Promise<JsonRpcMessage | undefined>;
  resolve: (response: JsonRpcMessage | undefined) => void;
} {
  let resolve!: (response: JsonRpcMessage | undefined) => void; // the executor runs at once
  const promise = new Promise<JsonRpcMessage | undefined>((resolved) => (resolve = resolved));
  return { promise, resolve };
}
