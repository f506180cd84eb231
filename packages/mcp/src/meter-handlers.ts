import { elicitsOf } from './approvals/elicits.ts';
import {
  asObject,
  readContinuation,
  readToolCall,
  toError,
  toResult,
  withContinuation,
  withoutKeys,
  withoutMeta,
  type Continuation,
  type JsonRpcError,
  type JsonRpcMessage,
} from './json-rpc.ts';
import type { Incoming, Ran } from './incoming.ts';
import type { MeterCall } from './metering.ts';
import { ownMeta, readCallerKey, readPassId } from './payer.ts';
import type { PriceTools } from './prices.ts';
import { stdioKey } from './stdio-key.ts';
import { taskMethods, type TaskAsker } from './tasks/ask-server.ts';
import type { TaskOwners } from './tasks/task-owners.ts';
import type { Tasks } from './tasks/tasks.ts';
import { currentDelivery } from './undelivered/delivery.ts';

/** A `McpServer`, or the low-level `Server`, of either generation of the MCP SDK. */
export interface MeterableServer {
  // Each generation types its transport in its own way.
  // oxlint-disable-next-line typescript/no-explicit-any
  connect(transport: any): Promise<void>;
}

export interface MeteringPorts {
  readonly meterCall: MeterCall;
  /** The slug of a tool; undefined for one whose calls are free. */
  readonly toolOf: (name: string) => string | undefined;
  /** The calls that were answered with a task. */
  readonly tasks: Tasks;
  readonly owners: TaskOwners;
  /** The key of a caller who sends none. */
  readonly ownKey: string | undefined;
  /** Adds prices to the result of `tools/list`. */
  readonly priceTools: PriceTools;
  readonly onError: (error: unknown) => void;
}

const internalError = -32_603;

type Request = Pick<JsonRpcMessage, 'params'>;
type Result = Readonly<Record<string, unknown>>;
type Handler = (request: Request, extra: unknown) => Promise<Result>;

interface LowLevelServer {
  connect(transport: object): Promise<void>;
  /** Both generations look a handler up here for each request. The field is private: only here a call is seen to its end. */
  readonly _requestHandlers: Map<string, Handler>;
  readonly _serverInfo?: { readonly name?: string };
  getClientCapabilities?(): unknown;
}

/**
 * Meters each call where it runs: around the server's handler. What passes the transport does not tell enough: no answer
 * is sent there for a call that its client gave up, though its tool runs on, and clients use ids twice.
 */
export function meterHandlers<T extends MeterableServer>(server: T, ports: MeteringPorts): T {
  const low = lowLevelOf(server);
  const connect = low.connect.bind(low);
  let connectionKey: string | undefined;
  let isResumable = false;
  low.connect = (transport) => {
    connectionKey = stdioKey(transport);
    isResumable = hasEventStore(transport);
    hearSent(transport, (message) => ports.tasks.heard(message, askerOf({}, {})));
    return connect(transport);
  };
  const handlers = low._requestHandlers;
  const get = handlers.get.bind(handlers);
  const askerOf = (request: Request, extra: unknown): TaskAsker => ({
    ask: async (method, params) => {
      const handler = get(method);
      return (
        handler &&
        run(async () => handler(toOwn(request, method, params), withoutOwnMeta(extra))).then(({ response }) => response)
      );
    },
    listTools: async (params) => get('tools/list')?.(toList(params), withoutOwnMeta(extra)),
    key: readCallerKey(asObject(request.params?.['_meta']), extra) ?? ports.ownKey ?? connectionKey,
  });
  handlers.get = (method) => {
    const handler = get(method);
    if (handler === undefined) return undefined;
    if (method === 'tools/list') return async (request, extra) => ports.priceTools(await handler(request, extra));
    if (taskMethods.has(method))
      return (request, extra) =>
        answerTask(ports.tasks, { method, handler, request, extra, asker: askerOf(request, extra) });
    if (method !== 'tools/call') return handler;
    return (request, extra) => {
      const delivery = isResumable || !isOverHttp(extra) ? undefined : currentDelivery();
      const server = low._serverInfo?.name;
      const asker = askerOf(request, extra);
      const capabilities = low.getClientCapabilities?.();
      return meterHandled(ports, { handler, request, extra, asker, connectionKey, delivery, server, capabilities });
    };
  };
  return server;
}

/** `McpServer` of both generations has the low-level one in `server`. */
function lowLevelOf(server: MeterableServer): LowLevelServer {
  const low = ('server' in server ? server.server : server) as Partial<LowLevelServer>;
  if (typeof low.connect === 'function' && low._requestHandlers instanceof Map) return low as LowLevelServer;
  throw new TypeError('`server` must be a server of `@modelcontextprotocol/server` 2 or `@modelcontextprotocol/sdk` 1');
}

interface Handled {
  readonly handler: Handler;
  readonly request: Request;
  readonly extra: unknown;
  readonly asker: TaskAsker;
}

interface HandledCall extends Handled, Pick<Incoming, 'connectionKey' | 'delivery' | 'server'> {
  /** Declared by the client when its session began. */
  readonly capabilities: unknown;
}

async function meterHandled({ meterCall }: MeteringPorts, handled: HandledCall): Promise<Result> {
  const { handler, request, extra, asker, connectionKey, delivery, server, capabilities } = handled;
  const call = readToolCall(request.params);
  if (call === undefined) return handler(request, extra); // which refuses it
  const signal = signalOf(extra);
  const incoming: Incoming = {
    call,
    continuation: readContinuation(request.params) ?? continuationOf(extra),
    callerKey: readCallerKey(call.meta, extra),
    passId: readPassId(call.meta, extra),
    connectionKey,
    isCancelled: () => signal?.aborted === true,
    run: (change) => run(() => handler(...changed(withoutMeta(request, ownMeta), withoutOwnMeta(extra), change))),
    elicits: elicitsOf({ envelope: envelopeOf(request, extra), capabilities }),
    listTools: asker.listTools,
    ask: asker.ask,
    delivery,
    server,
  };
  const response = await meterCall(incoming);
  if (response?.result !== undefined) return response.result;
  throw toThrown(response?.error ?? { code: internalError, message: 'The request was cancelled.' });
}

interface HandledTask extends Handled {
  readonly method: string;
}

async function answerTask(tasks: Tasks, { method, handler, request, extra, asker }: HandledTask): Promise<Result> {
  const told = { method, taskId: String(request.params?.['taskId']) };
  try {
    const result = await handler(withoutMeta(request, ownMeta), withoutOwnMeta(extra));
    await tasks.answered(told, toResult(result), asker);
    return result;
  } catch (error) {
    await tasks.answered(told, toFailed(error), asker);
    throw error;
  }
}

/** Hears what the server sends of itself. */
function hearSent(transport: object, hear: (message: JsonRpcMessage) => void): void {
  const sender = transport as { send?(message: JsonRpcMessage, ...rest: readonly unknown[]): Promise<void> };
  const send = sender.send?.bind(sender);
  if (send === undefined) return; // the SDK refuses it
  sender.send = (message, ...rest) => {
    hear(message);
    return send(message, ...rest);
  };
}

/** A request of ours to the server's handlers, as the one that it belongs to. The SDKs parse a request by its method, too. */
function toOwn(request: Request, method: string, params: Readonly<Record<string, unknown>>): Request {
  const _meta = request.params?.['_meta'];
  const own = { method, params: { ...params, ...(_meta !== undefined && { _meta }) } };
  return withoutMeta(own, ownMeta);
}

/** A client that was cut off resumes its stream there, and gets the answer from the transport's own store. */
function hasEventStore(transport: unknown): boolean {
  const { _webStandardTransport: inner, _eventStore: store } = transport as Readonly<Record<string, unknown>>;
  return store !== undefined || asObject(inner)['_eventStore'] !== undefined;
}

/** A handler may run while an HTTP request is served, and yet for a connection of another kind. */
function isOverHttp(extra: unknown): boolean {
  const { requestInfo, http } = asObject(extra);
  return requestInfo !== undefined || asObject(http)['req'] !== undefined;
}

/** The SDKs parse a request by its method, too. */
function toList(params: { readonly cursor?: string }): Request & { readonly method: string } {
  return { method: 'tools/list', params };
}

/** As the SDKs turn what a handler throws into a response. */
async function run(handle: () => Promise<Result>): Promise<Ran> {
  try {
    return { response: toResult(await handle()) };
  } catch (error) {
    return { response: toFailed(error) };
  }
}

function toFailed(error: unknown): JsonRpcMessage {
  const { code, data, message = 'Internal error' } = error as Partial<JsonRpcError>;
  return toError({ code: Number.isSafeInteger(code) ? Number(code) : internalError, message, data });
}

/** The SDKs read these fields of it. */
function toThrown({ code, message, data }: JsonRpcError): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

/** It aborts when the client gives the call up or hangs up. */
function signalOf(extra: unknown): AbortSignal | undefined {
  const { signal, mcpReq } = asObject(extra);
  const found = signal ?? asObject(mcpReq)['signal'];
  return found instanceof AbortSignal ? found : undefined;
}

/** The second generation takes it out of the parameters. */
function continuationOf(extra: unknown): Continuation | undefined {
  const { inputResponses, requestState } = asObject(asObject(extra)['mcpReq']);
  const state = typeof requestState === 'function' ? (requestState as () => unknown)() : undefined;
  return readContinuation({ inputResponses, requestState: state });
}

/** The second generation lifts it off the request. */
function envelopeOf({ params }: Request, extra: unknown): unknown {
  return asObject(asObject(extra)['mcpReq'])['envelope'] ?? params?.['_meta'];
}

type Handling = readonly [request: Request, extra: unknown];

/** The second generation hands the input of a call to its handler in `extra`, the first leaves it in the request. */
function changed(
  request: Request,
  extra: unknown,
  change: { readonly continuation: Continuation | undefined } | undefined,
): Handling {
  if (change === undefined) return [request, extra];
  const { mcpReq, ...rest } = asObject(extra);
  const { inputResponses, requestState } = change.continuation ?? {};
  const input = { ...asObject(mcpReq), inputResponses, requestState: () => requestState };
  return [withContinuation(request, change.continuation), { ...rest, ...(mcpReq !== undefined && { mcpReq: input }) }];
}

/** The `extra` of a request repeats its `_meta`: in the first generation as it is, in the second in `mcpReq`. */
function withoutOwnMeta(extra: unknown): unknown {
  const { _meta, mcpReq, ...rest } = asObject(extra);
  return {
    ...rest,
    ...(_meta !== undefined && { _meta: withoutKeys(_meta, ownMeta) }),
    ...(mcpReq !== undefined && {
      mcpReq: { ...asObject(mcpReq), _meta: withoutKeys(asObject(mcpReq)['_meta'], ownMeta) },
    }),
  };
}
