import { Tollgate, type TollgateOptions } from '../client/tollgate.ts';
import { systemClock } from '../clock.ts';
import type { Recorded, Recorder } from './recorder.ts';
import { toEvent, type ToolCall } from './to-event.ts';

export interface EdgeMeterOptions extends TollgateOptions {
  /** A client, in place of `apiKey`, `url` and the other options of one. */
  readonly tollgate?: Tollgate | undefined;
  /** `ctx.waitUntil` of the platform: `record()` then returns at once, and the platform waits until the event is sent. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** Called with `waitUntil` alone: the event was not sent. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A meter for platforms without a disk: `record()` resolves when Tollgate has the event. */
export class EdgeMeter implements Recorder {
  readonly #tollgate: Tollgate;
  readonly #options: EdgeMeterOptions;

  constructor(options: EdgeMeterOptions = {}) {
    this.#tollgate = options.tollgate ?? new Tollgate(options);
    this.#options = options;
  }

  async record(call: ToolCall): Promise<Recorded> {
    const { json, idempotencyKey } = toEvent(call, systemClock);
    const { waitUntil, onError } = this.#options;
    const sent = this.#tollgate.events.record(JSON.parse(json) as { tool_id: string });
    if (waitUntil === undefined) await sent;
    else waitUntil(sent.catch((error: unknown) => onError?.(error)));
    return { idempotencyKey };
  }
}
