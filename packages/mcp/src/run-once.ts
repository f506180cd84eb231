import { canonicalJson } from './canonical-json.ts';
import { toResult, type Continuation, type JsonRpcMessage, type ToolCall } from './json-rpc.ts';
import { fingerprint, idempotencyMeta, nameOfPayer, type Payer } from './payer.ts';
import { keyReused, toToolResult } from './refusal-result.ts';
import type { Repeats } from './repeats.ts';

/** The answer to a call. `isFinal`: a repeat of the call gets the same response; else it runs anew. */
export interface Answer {
  readonly response: JsonRpcMessage | undefined;
  readonly isFinal: boolean;
}

interface Named extends Omit<Payer, 'connectionKey'> {
  readonly call: ToolCall;
  readonly continuation: Continuation | undefined;
}

/**
 * Runs a call, unless it repeats one with the same idempotency key: then it gives the response of the first. A call that
 * brings input asks for what comes next, so it repeats only the call that brought the same input.
 */
export function createRunOnce(repeats: Repeats) {
  return async function runOnce(
    { call, continuation: brought, callerKey, passId }: Named,
    run: () => Promise<Answer>,
  ): Promise<JsonRpcMessage | undefined> {
    const named = call.meta[idempotencyMeta];
    if (typeof named !== 'string') return (await run()).response;
    const key = fingerprint(nameOfPayer({ callerKey, passId }) ?? '', call.name, named);
    const same = fingerprint(canonicalJson(call.arguments));
    const continuation = brought && fingerprint(canonicalJson(brought));
    for (let first = repeats.find(key); first !== undefined; first = repeats.find(key)) {
      if (first.arguments !== same) return toResult(toToolResult(keyReused(call.name)));
      const response = await first.response;
      if (response === undefined) continue; // it has no final response: this one runs
      if (continuation === undefined || continuation === first.continuation) return response;
      break;
    }
    return remember(repeats.begin(key, { arguments: same, continuation }), run);
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
