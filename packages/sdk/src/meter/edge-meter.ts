import { callOf, Tollgate, type TollgateOptions } from '../client/tollgate.ts';
import { systemClock } from '../clock.ts';
import { freeRefused, isNeverRecorded } from './free-refused.ts';
import type { Recorded, Recorder } from './recorder.ts';
import { toEvent, type ToolCall } from './to-event.ts';

export interface EdgeMeterOptions extends TollgateOptions {
  /** A client, in place of `apiKey`, `url` and the other options of one. */
  readonly tollgate?: Tollgate | undefined;
  /** `ctx.waitUntil` of the platform: `record()` then returns at once, and the platform waits until the event is sent. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** Called with `waitUntil` alone: the event was not sent. If Tollgate refuses it, what its call held is free. */
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
    const { waitUntil } = this.#options;
    const sent = this.#tollgate.events.record(JSON.parse(json) as { tool_id: string });
    if (waitUntil === undefined) await sent;
    else waitUntil(sent.catch((error: unknown) => this.#fail(json, error)));
    return { idempotencyKey };
  }

  /** Nobody else learns of it. */
  async #fail(event: string, error: unknown): Promise<void> {
    const { onError } = this.#options;
    onError?.(error);
    if (!isNeverRecorded(error)) return;
    await freeRefused(callOf(this.#tollgate), [{ event }], {}).catch((late: unknown) => onError?.(late));
  }
}
