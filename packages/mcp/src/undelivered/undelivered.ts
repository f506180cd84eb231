import type { JsonRpcMessage } from '../json-rpc.ts';
import type { Answer } from '../run-once.ts';
import type { Delivery } from './delivery.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { nameCall, type NamedCall } from './name-call.ts';

/**
 * A client whose connection breaks sends its call again, under another id. A call that ran to its end is paid then, so its
 * answer waits for an equal call of the same payer, which neither runs nor pays. Each answer is given once. An answer that
 * was delivered waits for nobody: two equal calls are two calls.
 *
 * A call can be in three places. It runs, or its answer is on its way: it is in `open`, and if its client has hung up an
 * equal call may claim it, and waits for its end. Its answer is lost, and nobody has claimed it: the answer moves to the
 * store, where equal calls of other processes find it. It is delivered or claimed: nobody else gets it.
 */
export interface Undelivered {
  /** Runs a call with what gives it the answer that an equal one left. It is asked for before the call runs. */
  follow(incoming: FollowedCall, run: (claim: Claim) => Promise<Answer>): Promise<Answer>;
}

export interface FollowedCall extends NamedCall {
  readonly isCancelled: () => boolean;
  /** Undefined: only a cancellation tells that its client misses the answer. */
  readonly delivery?: Delivery | undefined;
}

/** Undefined: there is none, so the call runs. */
export type Claim = () => Promise<JsonRpcMessage | undefined>;

export interface UndeliveredDeps {
  readonly answers: KeptAnswers;
  /** Names the server among those that share the store. */
  readonly server: string | undefined;
  readonly onError: (error: unknown) => void;
}

interface OpenCall {
  readonly name: string;
  readonly isLost: () => boolean;
  /** Resolves with the answer that may be kept. */
  readonly answered: Promise<JsonRpcMessage | undefined>;
  isClaimed: boolean;
  /** Resolves when the answer is in the store. */
  stored?: Promise<void>;
}

export function createUndelivered({ answers, server, onError }: UndeliveredDeps): Undelivered {
  const open = new Set<OpenCall>();

  async function claim(own: OpenCall): Promise<JsonRpcMessage | undefined> {
    for (;;) {
      const left = Array.from(open).find((one) => one !== own && one.name === own.name && isLeft(one));
      const taken = await answers.take(own.name);
      if (taken !== undefined || left === undefined) return taken;
      if (left.stored !== undefined) await left.stored;
      else if (!left.isClaimed) {
        left.isClaimed = true;
        const answer = await left.answered;
        if (answer !== undefined) return answer;
      }
    }
  }

  /** The call has ended with an answer: it goes to its client, to who claimed it, or to the store. */
  async function handOver(call: OpenCall, answer: JsonRpcMessage, isDelivered: Promise<boolean> | undefined) {
    if (!call.isLost() && (await isDelivered) !== false) return;
    if (call.isClaimed) return;
    call.stored = answers.put(call.name, answer);
    await call.stored;
  }

  return {
    async follow(incoming, run) {
      const text = nameCall(incoming, server);
      if (text === undefined) return run(async () => undefined);
      const { delivery, isCancelled } = incoming;
      const { promise: answered, resolve } = deferred();
      const name = await answers.nameOf(text);
      let wasGivenUp: boolean | undefined; // a signal that aborts after the answer gives nothing up
      const isLost = () => (wasGivenUp ?? isCancelled()) || delivery?.isLost() === true;
      const call: OpenCall = { name, isLost, answered, isClaimed: false };
      open.add(call);
      const close = () => void open.delete(call);
      try {
        const answer = await run(() => claim(call));
        wasGivenUp = isCancelled();
        const kept = answer.isFinal ? answer.response : undefined;
        resolve(kept);
        if (kept === undefined) close();
        else {
          const handed = handOver(call, kept, delivery?.ended).catch(onError).finally(close);
          if (isLost()) await handed; // the next call of its client finds the answer
        }
        return answer;
      } catch (error) {
        resolve(undefined);
        close();
        throw error;
      }
    },
  };
}

const isLeft = (call: OpenCall) => call.isLost() && !call.isClaimed;

/** Node 20 has no `Promise.withResolvers`. */
function deferred() {
  let resolve!: (answer: JsonRpcMessage | undefined) => void; // the executor runs at once
  const promise = new Promise<JsonRpcMessage | undefined>((resolved) => (resolve = resolved));
  return { promise, resolve };
}
