import { canonicalJson } from '../canonical-json.ts';
import { withoutKeys, type Continuation, type ToolCall } from '../json-rpc.ts';
import { keyMeta, nameOfPayer, type Payer } from '../payer.ts';

/** The part of a call by which equal ones are known. */
export interface NamedCall extends Payer {
  readonly call: ToolCall;
  readonly continuation: Continuation | undefined;
  readonly server?: string | undefined;
}

/** Metadata that differs when a client sends a call again, and the caller's key. */
const unlikeMeta = [keyMeta, 'progressToken', 'traceparent', 'tracestate', 'baggage'];

/** One text for all equal calls of one payer. Undefined: nobody pays by a key of its own, so callers may be strangers. */
export function nameCall(incoming: NamedCall, server = incoming.server): string | undefined {
  const { call, continuation } = incoming;
  const payer = nameOfPayer(incoming);
  if (payer === undefined) return undefined;
  const meta = withoutKeys(call.meta, unlikeMeta);
  return canonicalJson([server ?? '', payer, call.name, call.arguments, continuation ?? null, meta]);
}
