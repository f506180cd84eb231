import { randomUUID } from 'node:crypto';

import { elicitsOf } from './approvals/elicits.ts';
import { createForwarding, type Forwarded, type Forwarding } from './forwarding.ts';
import {
  asObject,
  isRequest,
  readCancelledId,
  readContinuation,
  readToolCall,
  withContinuation,
  withoutMeta,
} from './json-rpc.ts';
import type { JsonRpcMessage, JsonRpcRequest, RequestId, ToolCall } from './json-rpc.ts';
import type { Caller } from './listening/caller.ts';
import type { MeteringPorts } from './meter-handlers.ts';
import type { Incoming, Ran } from './incoming.ts';
import { ownMeta, readCallerKey } from './payer.ts';
import { taskMethods, type TaskAsker } from './tasks/ask-server.ts';
import type { TaskOwners } from './tasks/task-owners.ts';
import { createTaskRequests } from './tasks/task-requests.ts';
import type { Delivery } from './undelivered/delivery.ts';
import { within } from './within.ts';

export interface ConnectionPorts extends MeteringPorts {
  /** The key of the one caller of the connection. */
  readonly connectionKey: string | undefined;
  /** Whether callers with other passes reach the same server. Over stdio there is one caller, and all tasks are its own. */
  readonly isShared: boolean;
  /** How far the answer to a request has come. Without this only a cancellation tells that its client misses it. */
  readonly deliveryOf?: (request: JsonRpcRequest) => Delivery | undefined;
  /** Resolves with the answer to a request that did not reach the server; undefined if it was sent. `lose`: none can come. */
  readonly toServer: (message: JsonRpcMessage, lose?: () => void) => Promise<Ran | undefined>;
  readonly toClient: (message: JsonRpcMessage) => Promise<void>;
  /** So long a call that was given up may go on before its answer is taken for lost. */
  readonly givenUpMs: number;
}

export interface MeteredConnection {
  /** `caller`: of its HTTP request. The newest one pays each call that has no key of its own. */
  fromClient(message: JsonRpcMessage, caller?: Caller): void;
  fromServer(message: JsonRpcMessage): void;
  /** The client hung up: what waits to be admitted never runs, and what runs gets this time for its answer. */
  drain(withinMs: number): Promise<void>;
  /** The server is gone: no further answer comes. Resolves when all calls are recorded. */
  end(): Promise<void>;
}

/** A request that no client waits for. */
const ours = ({ id }: JsonRpcRequest): Forwarded => ({
  clientId: id,
  id: randomUUID(),
  isSent: false,
  isCancelled: false,
});

/** A request for the caller of `request`: since MCP 2026-07-28 `_meta` says who asks, and in which version. */
function toOwn(request: JsonRpcRequest, method: string, params: Readonly<Record<string, unknown>>): JsonRpcRequest {
  const { _meta } = withoutMeta(request, [...ownMeta, 'progressToken']).params ?? {};
  return { ...request, method, params: { ...params, ...(_meta !== undefined && { _meta }) } };
}

/** The client of a connection, as far as it is known. */
interface Client {
  /** The newest: one pass has several tokens in the time of a connection. */
  caller: Caller | undefined;
  /** Undefined: its session did not begin here. */
  capabilities: unknown;
}

function hear(client: Client, message: JsonRpcMessage, caller: Caller | undefined): void {
  client.caller = caller;
  if (isRequest(message, 'initialize')) client.capabilities = message.params?.['capabilities'];
}

/** The call as the server gets it. */
function toForwarded(request: JsonRpcRequest, change: Parameters<Incoming['run']>[0]): JsonRpcRequest {
  return withoutMeta(change === undefined ? request : withContinuation(request, change.continuation), ownMeta);
}

const noOwners: Pick<TaskOwners, 'isForeign'> = { isForeign: async () => false };

/** Stands for what the server says of itself. */
const unasked: JsonRpcRequest = { jsonrpc: '2.0', id: '', method: '' };

/**
 * Meters the messages between a client and a server that nobody can change. The server gets calls and requests for lists
 * under ids of ours. The order of messages is kept, but for calls that are asked for.
 */
export function createMeteredConnection(ports: ConnectionPorts): MeteredConnection {
  const { toServer, toClient, onError, givenUpMs } = ports;
  const forwarding = createForwarding({ send: toServer, answer: toClient, onError, givenUpMs });

  const client: Client = { caller: undefined, capabilities: undefined };
  const askerFor = createAskers(forwarding, () => client.caller?.bearer ?? ports.ownKey ?? ports.connectionKey);

  const meter = (request: JsonRpcRequest, call: ToolCall) => (forwarded: Forwarded) =>
    ports.meterCall({
      call,
      continuation: readContinuation(request.params),
      callerKey: keyIn(request) ?? client.caller?.bearer,
      passId: keyIn(request) === undefined ? client.caller?.passId : undefined,
      owner: client.caller?.passId,
      connectionKey: ports.connectionKey,
      isCancelled: () => forwarded.isCancelled,
      run: (change) => forwarding.ask(forwarded, toForwarded(request, change)),
      elicits: elicitsOf({ envelope: request.params?.['_meta'], capabilities: client.capabilities }),
      delivery: ports.deliveryOf?.(request),
      ...askerFor(request),
    });

  const owners = ports.isShared ? ports.owners : noOwners;
  const taskRequests = createTaskRequests({ ...ports, owners, forwarding, askerFor });

  const list = (request: JsonRpcRequest) => async (forwarded: Forwarded) => {
    const { response } = await forwarding.ask(forwarded, request);
    if (response?.result === undefined) return response;
    return { ...response, result: await ports.priceTools(asObject(response.result)) };
  };

  async function pass(message: JsonRpcMessage): Promise<void> {
    const failed = await toServer(message);
    if (failed?.response !== undefined) await toClient({ ...failed.response, id: message.id });
  }

  async function cancel(message: JsonRpcMessage, clientId: RequestId): Promise<void> {
    const forwarded = forwarding.giveUp(clientId);
    if (forwarded === undefined) return pass(message);
    if (forwarded.isSent) await pass({ ...message, params: { ...message.params, requestId: forwarded.id } });
  }

  return {
    fromClient(message, newest = client.caller) {
      hear(client, message, newest);
      const call = isRequest(message, 'tools/call') ? readToolCall(message.params) : undefined;
      const cancelledId = readCancelledId(message);
      if (call !== undefined) forwarding.begin(message as JsonRpcRequest, meter(message as JsonRpcRequest, call));
      else if (isRequest(message, 'tools/list')) forwarding.begin(message, list(message));
      else if (isTaskRequest(message)) forwarding.begin(message, taskRequests.ask(message, client.caller?.passId));
      else if (isRequest(message, 'tasks/list'))
        forwarding.begin(message, taskRequests.list(message, client.caller?.passId));
      else void (cancelledId === undefined ? pass(message) : cancel(message, cancelledId)).catch(onError);
    },
    fromServer(message) {
      if (forwarding.take(message)) return;
      ports.tasks.heard(message, askerFor(unasked));
      void toClient(message).catch(onError);
    },
    async drain(withinMs) {
      forwarding.giveUpUnsent();
      await within(forwarding.allAnswered(), withinMs);
    },
    async end() {
      forwarding.giveUpUnsent();
      forwarding.loseAnswers();
      await forwarding.allAnswered();
    },
  };
}

/** Asks the server on behalf of the sender of a request. */
function createAskers(forwarding: Forwarding, ownKey: () => string | undefined) {
  return function askerFor(request: JsonRpcRequest): TaskAsker {
    const ask: TaskAsker['ask'] = async (method, params) =>
      (await forwarding.ask(ours(request), toOwn(request, method, params))).response;
    const key = keyIn(request) ?? ownKey();
    return { ask, listTools: async (params) => (await ask('tools/list', params))?.result, key };
  };
}

function keyIn({ params }: JsonRpcRequest): string | undefined {
  return readCallerKey(asObject(params?.['_meta']), undefined);
}

function isTaskRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return message.id !== undefined && taskMethods.has(message.method ?? '');
}
