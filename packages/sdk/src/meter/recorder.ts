import type { ToolCall } from './to-event.ts';

export interface Recorded {
  /** The key of the event. Whoever records it again under this key changes nothing. */
  readonly idempotencyKey: string;
}

/** The part of a meter that wrappers of tools need. */
export interface Recorder {
  record(call: ToolCall): Promise<Recorded>;
  /** Keeps a call that nobody pays, for people to look at, with the reason. */
  abandon?(call: ToolCall, detail: string): Promise<void>;
}
