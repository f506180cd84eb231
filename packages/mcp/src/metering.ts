import { createHash } from 'node:crypto';

import type { JsonRpcMessage, ToolCall } from './json-rpc.ts';
import { outcomeOf } from './outcome-of.ts';
import type { BeginCall, CallMetadata, PaidCall, Refusal } from '@tollgate/sdk/calls';
import { callerKey } from './payer.ts';

export interface ToolOptions {
  /** The slug under which a tool is registered at Tollgate; undefined for a tool whose calls are free. */
  readonly tool: (name: string) => string | undefined;
  /** The key of a caller who sends none. Default: `TOLLGATE_KEY` over stdio, whose one caller started the server. */
  readonly ownKey?: string | undefined;
  /** Picks what of a call becomes metadata of its event. Without it nothing of arguments or results leaves the server. */
  readonly metadata?: ((call: ToolCall, response: JsonRpcMessage) => CallMetadata | undefined) | undefined;
}

/** A call that may run. */
export interface AdmittedCall {
  /** The call has its response: records it, or releases it if the tool never ran. */
  end(response: JsonRpcMessage): Promise<void>;
  /** The server does not get the call: its money is free again. */
  release(): Promise<void>;
  /** The call began to run and ends without a response: it is recorded as failed. */
  abandon(): Promise<void>;
}

export type Admission =
  | { readonly kind: 'free' }
  | { readonly kind: 'paid'; readonly call: AdmittedCall }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** `connectionKey` is the key of the one caller of a connection, where it has one. */
export type AdmitCall = (call: ToolCall, extra: unknown, connectionKey?: string) => Promise<Admission>;

/** Decides for each call of a tool whether it may run, and records what it came to. */
export function createAdmitCall(beginCall: BeginCall, options: ToolOptions): AdmitCall {
  return async function admitCall(call, extra, connectionKey) {
    const tool = options.tool(call.name);
    if (tool === undefined) return { kind: 'free' };
    const key = callerKey(call.meta, extra) ?? options.ownKey ?? connectionKey;
    const begun = await beginCall({ tool, key });
    if ('refusal' in begun) return { kind: 'refused', refusal: begun.refusal };
    return { kind: 'paid', call: toAdmitted(begun, (response) => options.metadata?.(call, response)) };
  };
}

function toAdmitted(paid: PaidCall, metadataOf: (response: JsonRpcMessage) => CallMetadata | undefined): AdmittedCall {
  return {
    async end(response) {
      const outcome = outcomeOf(response);
      if (outcome === 'not_run') return paid.release();
      return paid.end({ success: outcome === 'success', metadata: metadataOf(response) });
    },
    release: () => paid.release(),
    abandon: () => paid.end({ success: false }),
  };
}

/** Names a caller without being the key: keys are no part of what is remembered. */
export function fingerprint(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
