import {
  asObject,
  isRequest,
  isResponse,
  readCancelledId,
  readToolCall,
  toResponse,
  withoutMeta,
  type JsonRpcMessage,
  type RequestId,
  type ToolCall,
} from './json-rpc.ts';
import { createBeginUnlessRepeated } from './begin-unless-repeated.ts';
import type { Admission } from './metering.ts';
import { idempotencyMeta, keyMeta } from './payer.ts';
import { toToolResult } from './refusal-result.ts';
import type { Repeats } from './repeats.ts';
import { createRunningCalls } from './running-calls.ts';

export type Deliver = (message: JsonRpcMessage, extra?: unknown) => void;

export interface ConnectionPorts {
  readonly admitCall: (call: ToolCall, extra: unknown) => Promise<Admission>;
  readonly repeats: Repeats;
  /** Adds prices to the result of `tools/list`. */
  readonly priceTools: (result: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;
  /** Hands a message to the server. */
  readonly deliver: Deliver;
  /** Sends a message of our own to the client. */
  readonly answer: (message: JsonRpcMessage) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface MeteredConnection {
  /** Takes a message of the client: a call waits until it is admitted, everything else goes to the server at once. */
  receive: Deliver;
  /** Looks at a message of the server, before it is sent, and gives the message to send. */
  beforeSend(message: JsonRpcMessage): Promise<JsonRpcMessage>;
  /** The connection is gone: calls that run are recorded as failed. */
  close(): void;
}

/**
 * Meters the messages of one connection. A call is in one of these states: asking (it waits for its admission), running
 * (the server has it), ended. A call that is cancelled while it asks never runs, and its money is free again. The order
 * of messages is kept, but for calls that ask.
 */
export function createMeteredConnection(ports: ConnectionPorts): MeteredConnection {
  const beginUnlessRepeated = createBeginUnlessRepeated(ports);
  const asking = new Map<RequestId, { cancelled: boolean }>();
  const running = createRunningCalls();
  const lists = new Set<RequestId>();

  async function admit(call: ToolCall, message: JsonRpcMessage, extra: unknown): Promise<void> {
    const asked = { cancelled: false };
    asking.set(call.id, asked);
    const endRepeats = await beginUnlessRepeated(call, extra);
    if (endRepeats === undefined) return void asking.delete(call.id); // answered as its first was
    const ask = () =>
      ports.admitCall(call, extra).catch((error: unknown) => {
        endRepeats(undefined);
        throw error;
      });
    const admission = asked.cancelled ? undefined : await ask();
    asking.delete(call.id);
    if (admission !== undefined && admission.kind !== 'refused' && !asked.cancelled) {
      running.begin(call.id, { admitted: admission.kind === 'paid' ? admission.call : undefined, endRepeats });
      return ports.deliver(withoutMeta(message, [keyMeta, idempotencyMeta]), extra);
    }
    endRepeats(undefined); // the caller may be allowed the next time
    await turnAway(call.id, admission, asked);
  }

  async function turnAway(id: RequestId, admission: Admission | undefined, asked: { readonly cancelled: boolean }) {
    if (admission?.kind === 'paid') await admission.call.release(); // it was cancelled while it asked
    if (admission?.kind !== 'refused' || asked.cancelled) return;
    await ports.answer(toResponse(id, toToolResult(admission.refusal)));
  }

  /** A function of the server's author threw: the caller gets an answer all the same. */
  function failCall(id: RequestId, error: unknown): void {
    asking.delete(id);
    ports.onError(error);
    const answer = { jsonrpc: '2.0' as const, id, error: { code: -32_603, message: 'Metering this call failed.' } };
    void ports.answer(answer).catch(ports.onError);
  }

  function cancel(id: RequestId): void {
    const asked = asking.get(id);
    if (asked !== undefined) asked.cancelled = true;
    else running.abandon(id);
  }

  return {
    receive(message, extra) {
      const call = readToolCall(message);
      if (call !== undefined) return void admit(call, message, extra).catch((error) => failCall(call.id, error));
      if (isRequest(message, 'tools/list')) lists.add(message.id);
      const cancelled = readCancelledId(message);
      if (cancelled !== undefined) cancel(cancelled);
      ports.deliver(message, extra);
    },
    async beforeSend(message) {
      if (!isResponse(message)) return message;
      await running.end(message.id, message);
      if (!lists.delete(message.id) || message.result === undefined) return message;
      return { ...message, result: await ports.priceTools(asObject(message.result)) };
    },
    close() {
      for (const asked of asking.values()) asked.cancelled = true;
      running.abandonAll();
      lists.clear();
    },
  };
}
