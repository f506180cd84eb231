import { toResponse, type JsonRpcMessage, type ToolCall } from './json-rpc.ts';
import { fingerprint } from './metering.ts';
import { callerKey, idempotencyMeta } from './payer.ts';
import { keyReused, toToolResult } from './refusal-result.ts';
import type { Repeats } from './repeats.ts';

/** Tells the repeats of a call that it has ended: with its response, or without one. */
export type EndRepeats = (response: JsonRpcMessage | undefined) => void;

interface Ports {
  readonly repeats: Repeats;
  readonly answer: (message: JsonRpcMessage) => Promise<void>;
}

/** Answers a repeat of a call with the response of the first, and gives undefined. */
export function createBeginUnlessRepeated({ repeats, answer }: Ports) {
  return async function beginUnlessRepeated(call: ToolCall, extra: unknown): Promise<EndRepeats | undefined> {
    const named = call.meta[idempotencyMeta];
    if (typeof named !== 'string') return () => undefined;
    const key = fingerprint(callerKey(call.meta, extra) ?? '', call.name, named);
    const argumentsJson = fingerprint(JSON.stringify(call.arguments));
    for (let first = repeats.find(key); first !== undefined; first = repeats.find(key)) {
      if (first.arguments !== argumentsJson) {
        await answer(toResponse(call.id, toToolResult(keyReused(call.name))));
        return undefined;
      }
      const response = await first.response;
      if (response === undefined) continue; // it ended without a response: this one runs
      await answer({ ...response, id: call.id });
      return undefined;
    }
    return repeats.begin(key, argumentsJson);
  };
}
