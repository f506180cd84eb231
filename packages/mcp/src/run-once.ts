import { toResult, type JsonRpcMessage, type ToolCall } from './json-rpc.ts';
import { fingerprint, idempotencyMeta } from './payer.ts';
import { keyReused, toToolResult } from './refusal-result.ts';
import type { Repeats } from './repeats.ts';

/** The answer to a call. `isFinal`: a repeat of the call gets the same response; else it runs anew. */
export interface Answer {
  readonly response: JsonRpcMessage | undefined;
  readonly isFinal: boolean;
}

interface Named {
  readonly call: ToolCall;
  readonly callerKey: string | undefined;
}

/** Runs a call, unless it repeats one with the same idempotency key: then it gives the response of the first. */
export function createRunOnce(repeats: Repeats) {
  return async function runOnce(
    { call, callerKey }: Named,
    run: () => Promise<Answer>,
  ): Promise<JsonRpcMessage | undefined> {
    const named = call.meta[idempotencyMeta];
    if (typeof named !== 'string') return (await run()).response;
    const key = fingerprint(callerKey ?? '', call.name, named);
    const argumentsJson = fingerprint(JSON.stringify(call.arguments));
    for (let first = repeats.find(key); first !== undefined; first = repeats.find(key)) {
      if (first.arguments !== argumentsJson) return toResult(toToolResult(keyReused(call.name)));
      const response = await first.response;
      if (response !== undefined) return response; // else it has no final response: this one runs
    }
    return remember(repeats.begin(key, argumentsJson), run);
  };
}

async function remember(
  end: ReturnType<Repeats['begin']>,
  run: () => Promise<Answer>,
): Promise<JsonRpcMessage | undefined> {
  let final: JsonRpcMessage | undefined;
  try {
    const { response, isFinal } = await run();
    if (isFinal) final = response;
    return response;
  } finally {
    end(final);
  }
}
