import type { Elicits } from './approvals/elicits.ts';
import type { ListTools } from './find-tool.ts';
import type { Continuation, JsonRpcMessage, ToolCall } from './json-rpc.ts';
import type { AskServer } from './tasks/ask-server.ts';
import type { Delivery } from './undelivered/delivery.ts';

/** One call of a tool. It is known by this object alone: clients use a JSON-RPC id twice, or for several calls at once. */
export interface Incoming {
  readonly call: ToolCall;
  readonly continuation: Continuation | undefined;
  /** The key that came with the call. */
  readonly callerKey: string | undefined;
  /** The pass for which this key stands. Undefined: it is not known. */
  readonly passId: string | undefined;
  /** The key of the one caller of a connection, where it has one. */
  readonly connectionKey: string | undefined;
  /** Whether its client gave it up or hung up. */
  readonly isCancelled: () => boolean;
  /** Runs the tool, to the end also if the client has given the call up. `change`: it gets this input in place of what came. */
  readonly run: (change?: { readonly continuation: Continuation | undefined }) => Promise<Ran>;
  readonly listTools: ListTools;
  /** Asks the server about the task that the call was answered with. */
  readonly ask: AskServer;
  /** The pass to which a task of the call belongs, for other passes. Undefined: its server decides who may ask about it. */
  readonly owner?: string | undefined;
  /** The name that the server gives itself. */
  readonly server?: string | undefined;
  /** How its client can be sent to a page. Undefined: only by a sentence. */
  readonly elicits?: Elicits | undefined;
  /** Undefined: only a cancellation tells that its client misses the answer. */
  readonly delivery?: Delivery | undefined;
}

export interface Ran {
  /** Undefined: the answer is lost, and nobody can say how the tool ended. */
  readonly response: JsonRpcMessage | undefined;
  /** The call did not reach the tool. */
  readonly neverRan?: boolean;
}
