import { TollgateError } from '../client/error.ts';
import type { Schemas } from '../client/operation-types.ts';
import type { Tollgate } from '../client/tollgate.ts';
import type { Recorder } from '../meter/recorder.ts';
import { refusalMessage } from '../meter/refusal-message.ts';
import type { ToolCall } from '../meter/to-event.ts';
import type { CallPorts } from './begin-call.ts';
import { createRecentMap } from './recent-map.ts';
import { passRefused, toolNotAllowed } from './refusal.ts';

export interface CallPortsDeps {
  readonly tollgate: Tollgate;
  readonly meter: Recorder;
  readonly nowMs: () => number;
  readonly hold: Pick<Schemas['AuthorizationInput'], 'max' | 'ttl_seconds'>;
}

/** So many callers are remembered, each with its client, which has a retry budget of its own. */
const callersMax = 1_000;
/** For so long a pass is believed without another look; its owner's changes are felt after that at the latest. */
const passKeptMs = 1_000;
const passPrefix = 'tg_pass_';

interface Caller {
  readonly client: Tollgate;
  pass?: { readonly found: Promise<Schemas['OwnPass'] | undefined>; readonly untilMs: number };
}

/** What a paid call asks of Tollgate, by the client and the meter. */
export function createCallPorts({ tollgate, meter, nowMs, hold }: CallPortsDeps): CallPorts {
  const callers = createRecentMap<Caller>(callersMax);
  const callerOf = (key: string) => callers.get(key, () => ({ client: tollgate.with({ apiKey: key }) }));

  return {
    async judge({ tool, key }) {
      const pass = await readPass(callerOf(key));
      if (pass === undefined || pass.paused) return passRefused;
      return pass.tools === '*' || pass.tools.includes(tool) ? undefined : toolNotAllowed(tool);
    },
    async hold({ tool, key }) {
      const request = { tool_id: tool, idempotency_key: crypto.randomUUID(), ...hold };
      if (!key.startsWith(passPrefix)) {
        const { id: authorizationId } = await callerOf(key).client.spending.authorize(request);
        return { authorizationId, key };
      }
      // The builder asks, so its meter records the call: the event then survives crashes.
      const { id: authorizationId } = await tollgate.spending.authorize({ ...request, pass: key });
      return { authorizationId, key: undefined };
    },
    release: ({ authorizationId, key }) =>
      (key === undefined ? tollgate : callerOf(key).client).spending.release(authorizationId),
    record: (call, key) =>
      key === undefined
        ? meter.record(call)
        : callerOf(key)
            .client.events.record(toEvent(call))
            .catch((error: unknown) => explain(error, call)),
  };

  function readPass(caller: Caller): Promise<Schemas['OwnPass'] | undefined> {
    if (caller.pass !== undefined && caller.pass.untilMs > nowMs()) return caller.pass.found;
    const found = caller.client.passes.self().catch(undefinedIfRefused);
    caller.pass = { found, untilMs: nowMs() + passKeptMs };
    found.catch(() => delete caller.pass); // the next call asks again
    return found;
  }
}

/** What a meter tells of an event that is refused for good. */
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
