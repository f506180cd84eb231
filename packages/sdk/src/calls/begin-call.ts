import { readTraceparent } from '../client/traceparent.ts';
import { isNeverRecorded } from '../meter/free-refused.ts';
import type { ToolCall } from '../meter/to-event.ts';
import { within } from '../wait.ts';
import { keyMissing, misconfigured, readRefusal, unavailable, type Refusal } from './refusal.ts';

const passPrefix = 'tg_pass_';

/** Whether the key is a pass or an OAuth token of one: the builder names it when it asks. */
export function isPass(key: string): boolean {
  return key.startsWith(passPrefix) || isToken(key);
}

/** An OAuth token is a JWT, and keys have no dot. It is never a bearer at Tollgate, so its calls are held before they run. */
function isToken(key: string): boolean {
  return key.includes('.');
}

export type CallMetadata = NonNullable<ToolCall['metadata']>;

/** The questions of a paid call to Tollgate. Each function may throw a TollgateError. */
export interface CallPorts {
  /** Finds out whether the pass may call the tool. Resolves with the refusal if it may not. */
  judge(ask: NamedAsk & { readonly key: string }): Promise<Refusal | undefined>;
  /** Holds the money of a call. Rejects with the refusal as a TollgateError. */
  hold(ask: { readonly tool: string; readonly key: string; readonly traceparent: string | undefined }): Promise<Held>;
  /** Frees the money of a call that did not run. */
  release(held: Held): Promise<unknown>;
  /** Holds the money of a call longer, and names it. Rejects with the refusal as a TollgateError. */
  extend(held: Held, more: LongerCall): Promise<unknown>;
  /** Finds a call by the name that it got, if it is open and no other has this name. */
  find(named: NamedCall): Promise<{ readonly tool: string; readonly held: Held } | undefined>;
  /** Keeps a call that nobody pays, with the reason. */
  abandon(call: ToolCall, detail: string): Promise<unknown>;
  /** Resolves once the event cannot be lost any more. `key` pays; without it, the program's own account does. */
  record(call: ToolCall, key: string | undefined): Promise<unknown>;
}

/** Money that is held for a call. */
export interface Held {
  readonly authorizationId: string;
  /** The key that records the call: only the key that asked can. Undefined: this program's own account. */
  readonly key: string | undefined;
  /** The pass that pays. Undefined: it is not known, or there is none. */
  readonly passId?: string | undefined;
}

export interface CallSettings {
  /** Refuse each call whose caller has no pass that allows the tool. */
  readonly requirePass: boolean;
  /** Hold the money of each call before it runs. */
  readonly gate: boolean;
  /** The most metadata for which money is held. */
  readonly most: CallMetadata | undefined;
  /** So long a call waits for Tollgate before it is refused, and its answer for the recording, which then goes on by itself. */
  readonly waitMs: number;
  /** Gets each error that no caller gets, such as an event that could not be recorded. */
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

export interface CallAsk {
  /** The slug of the tool. */
  readonly tool: string;
  /** The name by which its caller knows the tool, for refusals. Default: the slug. */
  readonly name?: string | undefined;
  /** The caller's pass or API key. */
  readonly key: string | undefined;
  /** The span of the call, as W3C Trace Context has it. What is no traceparent is left out. */
  readonly traceparent?: string | undefined;
}

/** A call that works on after its request was answered. */
export interface LongerCall {
  /** For so long from now its money is held: 5 to 86,400, and 24 hours in all. */
  readonly ttlSeconds: number;
  /** A name that no other call has, by which `resume` finds it: at most 255 characters. */
  readonly reference: string;
}

export interface NamedCall {
  readonly reference: string;
  /** The key of the caller, in case that it asked for the call itself. */
  readonly key: string | undefined;
}

/** How a call ended. */
export interface CallEnd {
  readonly success: boolean;
  readonly metadata?: CallMetadata | undefined;
  /** When it ran, in epoch ms. Default: from its beginning until now. */
  readonly span?: { readonly fromMs: number; readonly toMs: number } | undefined;
}

interface NamedAsk extends CallAsk {
  readonly name: string;
}

/** A call that may run. It is ended if it ran, and released if it never did; what comes second does nothing. */
export interface PaidCall {
  /** The most metadata for which money is held; undefined if no money is, or if the gate has no `max`. */
  readonly most?: CallMetadata | undefined;
  /** The pass that pays a call that `resume` has found; undefined if none does. */
  readonly passId?: string | undefined;
  /**
   * Records the call. Never throws: the caller's answer does not depend on it, and waits for it only so long. A call that
   * Tollgate refuses to record frees what it held.
   */
  end(outcome: CallEnd): Promise<void>;
  /** Frees the money that is held for the call. Never throws: a hold that could not be freed expires by itself. */
  release(): Promise<void>;
  /** Holds the money longer. Resolves with whether it is held; true where no money is held at all. Never throws. */
  extend(more: LongerCall): Promise<boolean>;
  /** Releases a call of which nobody can say how it ended, and keeps it with the reason: a row of `rejected.jsonl`. Never throws. */
  abandon(detail: string): Promise<void>;
}

export interface BeginCall {
  (ask: CallAsk): Promise<PaidCall | { readonly refusal: Refusal }>;
  /**
   * A call that was extended under this name, also by another process. Undefined: none is open, or nothing is held for calls.
   * Rejects if that cannot be asked.
   */
  resume(named: NamedCall): Promise<PaidCall | undefined>;
}

/** Decides for each call whether it may run, and records what it came to. */
export function createBeginCall(ports: CallPorts, settings: CallSettings): BeginCall {
  const { waitMs, onError } = settings;
  return Object.assign(beginCall, { resume });

  async function beginCall(ask: CallAsk): Promise<PaidCall | { readonly refusal: Refusal }> {
    const { tool, key, name = tool } = ask;
    const traceparent = readTraceparent(ask.traceparent);
    if (settings.gate || (key !== undefined && isToken(key))) return holdCall({ tool, key, name, traceparent });
    const refusal = settings.requirePass ? await refusalOf({ tool, key, name }) : undefined;
    return refusal === undefined ? openCall(ports, settings, { ...ask, traceparent }) : { refusal };
  }

  async function resume(named: NamedCall): Promise<PaidCall | undefined> {
    const found = settings.gate ? await within(ports.find(named), waitMs) : undefined;
    return found && openCall(ports, settings, { ...found, key: found.held.key });
  }

  async function holdCall({
    tool,
    key,
    name,
    traceparent,
  }: NamedAsk): Promise<PaidCall | { readonly refusal: Refusal }> {
    if (key === undefined) return { refusal: keyMissing(name) };
    const holding = ports.hold({ tool, key, traceparent });
    try {
      const held = await within(holding, waitMs);
      if (held !== undefined) return openCall(ports, settings, { tool, key: held.key, held, traceparent });
    } catch (error) {
      return { refusal: toRefusal(error, name, isPass(key) ? 'builder' : 'caller') };
    }
    void releaseLate(holding);
    return { refusal: unavailable(name) };
  }

  /** The call was refused meanwhile, so it never runs. */
  async function releaseLate(holding: Promise<Held>): Promise<void> {
    await holding.then((held) => ports.release(held)).catch(onError);
  }

  async function refusalOf({ tool, key, name }: NamedAsk): Promise<Refusal | undefined> {
    if (key === undefined) return keyMissing(name);
    try {
      const judged = await within(
        ports.judge({ tool, key, name }).then((refusal) => ({ refusal })),
        waitMs,
      );
      return judged === undefined ? unavailable(name) : judged.refusal;
    } catch (error) {
      return toRefusal(error, name, 'builder'); // the answer about the pass itself is judged already
    }
  }

  /** An error that says neither yes nor no refuses the call: an unchecked yes would be a call that nobody pays. */
  function toRefusal(error: unknown, tool: string, credentialOf: 'builder' | 'caller'): Refusal {
    const refusal = readRefusal(error, { tool, credentialOf });
    if (refusal === undefined || refusal.code === misconfigured(tool).code) onError(error);
    return refusal ?? unavailable(tool);
  }
}

interface OpenCall extends CallAsk {
  readonly held?: Held;
}

function openCall(ports: CallPorts, settings: CallSettings, { tool, key, held, traceparent }: OpenCall): PaidCall {
  const { nowMs, onError, waitMs } = settings;
  const startedMs = nowMs();
  let isOver = false;
  const toCall = ({ success, metadata, span = { fromMs: startedMs, toMs: nowMs() } }: CallEnd): ToolCall => ({
    tool,
    duration_ms: Math.max(0, Math.round(span.toMs - span.fromMs)),
    success,
    timestamp: new Date(span.fromMs).toISOString(),
    metadata,
    authorizationId: held?.authorizationId,
    traceparent,
  });

  async function release(): Promise<void> {
    if (held !== undefined) await within(ports.release(held).catch(onError), waitMs);
  }

  async function record(outcome: CallEnd): Promise<void> {
    try {
      await ports.record(toCall(outcome), key);
    } catch (error) {
      onError(error);
      if (held !== undefined && isNeverRecorded(error)) await ports.release(held).catch(onError);
    }
  }

  return {
    most: held && settings.most,
    passId: held?.passId,
    async end(outcome) {
      if (isOver) return; // a reader that gives up may end a call in two ways
      isOver = true;
      await within(record(outcome), waitMs);
    },
    async release() {
      if (isOver) return;
      isOver = true;
      await release();
    },
    async extend(more) {
      if (held === undefined || isOver) return true;
      const extended = ports
        .extend(held, more)
        .then(() => true)
        .catch(onError);
      return (await within(extended, waitMs)) === true;
    },
    async abandon(detail) {
      if (isOver) return;
      isOver = true;
      await release();
      await within(ports.abandon(toCall({ success: false }), detail).catch(onError), waitMs);
    },
  };
}
