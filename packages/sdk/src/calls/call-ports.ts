import { TollgateError } from '../client/error.ts';
import type { Schemas } from '../client/operation-types.ts';
import type { Tollgate } from '../client/tollgate.ts';
import type { Recorder } from '../meter/recorder.ts';
import { refusalMessage } from '../meter/refusal-message.ts';
import type { ToolCall } from '../meter/to-event.ts';
import { isPass, type CallPorts, type NamedCall } from './begin-call.ts';
import { createRecentMap } from './recent-map.ts';
import { misconfigured, passRefused, toolNotAllowed } from './refusal.ts';

export interface CallPortsDeps {
  readonly tollgate: Tollgate;
  readonly meter: Recorder;
  readonly nowMs: () => number;
  readonly hold: Pick<Schemas['AuthorizationInput'], 'max' | 'ttl_seconds'>;
}

/** So many callers are remembered, each with its client, which has a retry budget of its own. */
const callersMax = 1_000;
const toolsMax = 1_000;
/** For so long a pass is believed without another look; its owner's changes are felt after that at the latest. */
const passKeptMs = 1_000;
/** For so long a tool that was found is believed to be there. */
const toolKeptMs = 60_000;

interface Caller {
  readonly client: Tollgate;
  pass?: { readonly found: Promise<Schemas['OwnPass'] | undefined>; readonly untilMs: number };
}

/** Answers the questions of a paid call with the client and the meter. */
export function createCallPorts({ tollgate, meter, nowMs, hold }: CallPortsDeps): CallPorts {
  const callers = createRecentMap<Caller>(callersMax);
  const tools = createRecentMap<{ untilMs: number; found: Promise<boolean> }>(toolsMax);
  const callerOf = (key: string) => callers.get(key, () => ({ client: tollgate.with({ apiKey: key }) }));

  return {
    async judge({ tool, key, name }) {
      const [pass, isChargeable] = await Promise.all([readPass(callerOf(key)), canBeCharged(tool)]);
      if (!isChargeable) return misconfigured(name); // a pass for all tools would run it for nothing
      if (pass === undefined || pass.paused) return passRefused;
      return pass.tools === '*' || pass.tools.includes(tool) ? undefined : toolNotAllowed(name);
    },
    async hold({ tool, key, traceparent }) {
      const request = { tool_id: tool, idempotency_key: crypto.randomUUID(), ...hold };
      if (!isPass(key)) {
        const { id: authorizationId } = await callerOf(key).client.spending.authorize(request, { traceparent });
        return { authorizationId, key };
      }
      // The builder asks, so its meter records the call: the event then survives crashes.
      const asking = tollgate.spending.authorize({ ...request, pass: key }, { traceparent });
      const { id: authorizationId } = await asking.catch((error: unknown) => blameTool(error, tool));
      return { authorizationId, key: undefined };
    },
    release: ({ authorizationId, key }) => clientOf(key).spending.release(authorizationId),
    extend: ({ authorizationId, key }, { ttlSeconds, reference }) =>
      clientOf(key).spending.extend(authorizationId, { ttl_seconds: ttlSeconds, reference }),
    find: (named) => findNamed(named, clientOf),
    abandon: (call, detail) => abandonBy(meter, call, detail),
    record: (call, key) =>
      key === undefined
        ? meter.record(call)
        : callerOf(key)
            .client.events.record(toEvent(call))
            .catch((error: unknown) => explain(error, call)),
  };

  /** The client that asks: for a pass it is the builder's. */
  function clientOf(key: string | undefined): Tollgate {
    return key === undefined ? tollgate : callerOf(key).client;
  }

  /** No pass is good for a tool that is not there. The gate says no more than that, so that it tells nothing to strangers. */
  async function blameTool(error: unknown, tool: string): Promise<never> {
    if (!(error instanceof TollgateError) || error.code !== 'pass_refused') throw error;
    const missing = await canBeCharged(tool).then(() => undefined, toMissing);
    throw missing ?? error;
  }

  /** Rejects if that cannot be asked, or by the builder's key. */
  function canBeCharged(tool: string): Promise<boolean> {
    const known = tools.get(tool, () => ({ untilMs: 0, found: Promise.resolve(false) }));
    if (known.untilMs > nowMs()) return known.found;
    known.untilMs = nowMs() + toolKeptMs;
    known.found = tollgate.tools.get(tool).then(({ archived }) => !archived);
    const forget = () => void (known.untilMs = 0); // the next call asks again
    known.found.then((isThere) => isThere || forget(), forget);
    return known.found;
  }

  function readPass(caller: Caller): Promise<Schemas['OwnPass'] | undefined> {
    if (caller.pass !== undefined && caller.pass.untilMs > nowMs()) return caller.pass.found;
    const found = caller.client.passes.self().catch(undefinedIfRefused);
    caller.pass = { found, untilMs: nowMs() + passKeptMs };
    found.catch(() => delete caller.pass); // the next call asks again
    return found;
  }
}

type ClientOf = (key: string | undefined) => Tollgate;

/** The builder asks for calls with a pass, and a caller with an API key for its own. */
async function findNamed({ reference, key }: NamedCall, clientOf: ClientOf) {
  const byBuilder = await findOpen(undefined, reference, clientOf);
  if (byBuilder !== undefined || key === undefined || isPass(key)) return byBuilder;
  return findOpen(key, reference, clientOf);
}

/** A name of two calls says nothing. */
async function findOpen(key: string | undefined, reference: string, clientOf: ClientOf) {
  const { authorizations } = await clientOf(key).spending.authorizations({ reference, limit: 2 }).firstPage();
  const [only, other] = authorizations;
  if (only === undefined || other !== undefined) return undefined;
  return { tool: only.tool_id, held: { authorizationId: only.id, key, passId: only.pass_id ?? undefined } };
}

/** Only a meter has a place for it. */
async function abandonBy(meter: Recorder, call: ToolCall, detail: string): Promise<void> {
  if (meter.abandon === undefined) throw new Error(`nobody pays for a call of ${call.tool}: ${detail}`);
  await meter.abandon(call, detail);
}

function toMissing(error: unknown): TollgateError | undefined {
  return error instanceof TollgateError && error.code === 'tool_not_found' ? error : undefined;
}

/** Throws what a meter reports of an event that is refused for good. */
function explain(error: unknown, call: ToolCall): never {
  if (!(error instanceof TollgateError) || error.code !== 'authorization_not_open') throw error;
  const { status, code, requestId } = error;
  throw new TollgateError({ status, code, requestId, detail: refusalMessage(call, error), cause: error });
}

/** A credential that is no live pass. */
function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof TollgateError && (error.status === 401 || error.code === 'forbidden')) return undefined;
  throw error;
}

function toEvent({ tool, timestamp, idempotencyKey, authorizationId, ...rest }: ToolCall): Schemas['Event'] {
  const time = timestamp instanceof Date ? timestamp.toISOString() : timestamp;
  const ids = { idempotency_key: idempotencyKey, authorization_id: authorizationId };
  const event = { tool_id: tool, ...rest, timestamp: time, ...ids };
  return JSON.parse(JSON.stringify(event)) as Schemas['Event']; // leaves out what is undefined
}
