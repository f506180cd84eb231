import type { ToolCall } from '../meter/to-event.ts';
import { keyMissing, readRefusal, unavailable, type Refusal } from './refusal.ts';

export type CallMetadata = NonNullable<ToolCall['metadata']>;

/** What a paid call asks of Tollgate. Each function may throw a TollgateError. */
export interface CallPorts {
  /** Finds out whether the pass may call the tool. Resolves with the refusal if it may not. */
  judge(ask: { readonly tool: string; readonly key: string }): Promise<Refusal | undefined>;
  /** Holds the money of a call. Rejects with the refusal as a TollgateError. */
  hold(ask: { readonly tool: string; readonly key: string }): Promise<Held>;
  /** Frees the money of a call that did not run. */
  release(held: Held): Promise<unknown>;
  /** Resolves once the event cannot be lost any more. `key` pays; without it, the program's own account does. */
  record(call: ToolCall, key: string | undefined): Promise<unknown>;
}

/** Money that is held for a call. */
export interface Held {
  readonly authorizationId: string;
  /** Who records the call: only who asked can. Undefined: this program's own account. */
  readonly key: string | undefined;
}

export interface CallSettings {
  /** Refuse each call whose caller has no pass that allows the tool. */
  readonly requirePass: boolean;
  /** Hold the money of each call before it runs. */
  readonly gate: boolean;
  /** Gets each error that no caller is told, such as an event that could not be recorded. */
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

export interface CallAsk {
  /** The slug of the tool. */
  readonly tool: string;
  /** The caller's pass or API key. */
  readonly key: string | undefined;
}

/** A call that may run. It is ended if it ran, and released if it never did; what comes second does nothing. */
export interface PaidCall {
  /** Records the call. Never throws: the caller's answer does not depend on it. */
  end(outcome: { readonly success: boolean; readonly metadata?: CallMetadata | undefined }): Promise<void>;
  /** Frees the money that is held for the call. Never throws: a hold that could not be freed expires by itself. */
  release(): Promise<void>;
}

export type BeginCall = (ask: CallAsk) => Promise<PaidCall | { readonly refusal: Refusal }>;

/** Decides for each call whether it may run, and records what it came to. */
export function createBeginCall(ports: CallPorts, settings: CallSettings): BeginCall {
  return async function beginCall(ask) {
    if (settings.gate) return holdCall(ask);
    const refusal = settings.requirePass ? await refusalOf(ask) : undefined;
    return refusal === undefined ? openCall(ports, settings, ask) : { refusal };
  };

  async function holdCall({ tool, key }: CallAsk): Promise<PaidCall | { readonly refusal: Refusal }> {
    if (key === undefined) return { refusal: keyMissing(tool) };
    try {
      const held = await ports.hold({ tool, key });
      return openCall(ports, settings, { tool, key: held.key, held });
    } catch (error) {
      return { refusal: toRefusal(error, tool) };
    }
  }

  /** An error that says neither yes nor no refuses the call: an unchecked yes would be a call that nobody pays. */
  async function refusalOf({ tool, key }: CallAsk): Promise<Refusal | undefined> {
    if (key === undefined) return keyMissing(tool);
    try {
      return await ports.judge({ tool, key });
    } catch (error) {
      return toRefusal(error, tool);
    }
  }

  function toRefusal(error: unknown, tool: string): Refusal {
    const refusal = readRefusal(error, tool);
    if (refusal === undefined) settings.onError(error);
    return refusal ?? unavailable(tool);
  }
}

interface OpenCall extends CallAsk {
  readonly held?: Held;
}

function openCall(ports: CallPorts, { nowMs, onError }: CallSettings, { tool, key, held }: OpenCall): PaidCall {
  const startedMs = nowMs();
  let isOver = false;
  return {
    async end({ success, metadata }) {
      if (isOver) return; // a reader that gives up may end a call in two ways
      isOver = true;
      const timestamp = new Date(startedMs).toISOString();
      const durationMs = Math.max(0, Math.round(nowMs() - startedMs));
      const authorizationId = held?.authorizationId;
      const call = { tool, duration_ms: durationMs, success, timestamp, metadata, authorizationId };
      await ports.record(call, key).catch(onError);
    },
    async release() {
      if (isOver) return;
      isOver = true;
      if (held !== undefined) await ports.release(held).catch(onError);
    },
  };
}
