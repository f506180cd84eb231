import { channel } from 'node:diagnostics_channel';
import { callOf, Tollgate, type TollgateOptions } from '../client/tollgate.ts';
import { systemClock, type Clock } from '../clock.ts';
import { closeOnExit } from './close-on-exit.ts';
import { closeSpool, type Closed } from './closed.ts';
import { openDiskSpool } from './disk-spool.ts';
import { createMemorySpool } from './memory-spool.ts';
import type { ItemError } from './plan-settlement.ts';
import type { Recorded, Recorder } from './recorder.ts';
import { parseSent } from './parse-sent.ts';
import { endUnknown, refusalMessage } from './refusal-message.ts';
import { Sender } from './sender.ts';
import { SpoolError, toSpoolError } from './spool-error.ts';
import type { Refusal, Spool, SpoolFigures } from './spool.ts';
import { toEvent, type ToolCall } from './to-event.ts';

export interface MeterOptions extends TollgateOptions {
  /** The folder of the spool. One per account; processes may share it. */
  readonly dir?: string | undefined;
  /** A client, in place of `apiKey`, `url` and the other options of one. */
  readonly tollgate?: Tollgate | undefined;
  /**
   * Says what `record()` waits for. `disk` (the default): the event survives a crash of the program and of the machine.
   * `os`: a crash of the program alone. `memory`: neither; no `dir` is needed.
   */
  readonly durability?: 'disk' | 'os' | 'memory' | undefined;
  /** The most bytes of a spool; then `record()` rejects with SpoolFull. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** How long a request waits for more events, unless it is full. Default: 200. */
  readonly lingerMs?: number | undefined;
  /** Closes the meter when the process has nothing left to do, or gets SIGTERM. Default: false. */
  readonly closeOnExit?: boolean | undefined;
  /**
   * Called for each event that Tollgate refused for good; it is in `rejected.jsonl` too. Default: a warning for the first
   * one within a minute.
   */
  readonly onRejected?: ((rejected: RejectedEvent) => void) | undefined;
  /** Called when somebody should look: events wait or grow old, or a file is damaged. Default: `process.emitWarning`. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface RejectedEvent extends ItemError {
  /** The event, as it was sent. */
  readonly event: Readonly<Record<string, unknown>> | string;
  /** The reason of the refusal, in a sentence for people. */
  readonly message: string;
}

export interface MeterStats extends SpoolFigures {
  /** The time of the oldest event that is not settled, as of the last request. */
  readonly oldest: string | undefined;
  /** Events that Tollgate has, by this meter. */
  readonly sent: number;
  /** The part of `sent` that Tollgate had already: an answer was lost. */
  readonly duplicates: number;
  /** Events that Tollgate refused for good. */
  readonly rejected: number;
  /** Requests that failed. */
  readonly failures: number;
  /** Why the last request failed; undefined after a success. */
  readonly lastError: Error | undefined;
}

const maxBytesDefault = 256 * 1024 * 1024;
const closeTimeoutMs = 5_000;
const tendEveryMs = 5_000;
const refusalQuietMs = 60_000;

/** For observers: `diagnostics_channel.subscribe('tollgate:meter:sent', …)`. */
const channels = {
  sent: channel('tollgate:meter:sent'),
  rejected: channel('tollgate:meter:rejected'),
  failed: channel('tollgate:meter:failed'),
};

/** Records calls of tools so that none is lost: what `record()` has returned is on disk and will be counted once. */
export class Meter implements Recorder {
  readonly #spool: Spool;
  readonly #sender: Sender;
  readonly #clock: Clock;
  readonly #tending: NodeJS.Timeout;
  readonly #warn: (message: string) => void;
  readonly #counts = { sent: 0, duplicates: 0, rejected: 0, failures: 0 };
  readonly #forgetExit: () => void;
  readonly #onRefused: (refusal: Refusal) => void;
  #lastError: Error | undefined;
  #warnedMs = Number.NEGATIVE_INFINITY;
  #closed: Promise<Closed> | undefined;

  /** Opens the folder, takes over what earlier processes left there, and begins to send. */
  static async open(options: MeterOptions): Promise<Meter> {
    return openMeter(options, systemClock);
  }

  /** Use `Meter.open`. */
  constructor(options: MeterOptions, spool: Spool, clock: Clock) {
    const warn = (this.#warn = warningOf(options));
    this.#spool = spool;
    this.#clock = clock;
    this.#onRefused = (refusal) =>
      this.#noteRefused(refusal, options.onRejected ?? (({ message }) => this.#tell(message)));
    this.#sender = new Sender({
      spool,
      call: callOf(options.tollgate ?? new Tollgate(options)),
      clock,
      lingerMs: options.lingerMs ?? 200,
      onSent: ({ recorded, duplicates }) => this.#noteSent(recorded, duplicates),
      onRefused: this.#onRefused,
      onFailed: (error) => this.#noteFailed(error),
      warn,
    });
    this.#tending = setInterval(() => this.#tend(), tendEveryMs).unref();
    this.#forgetExit = options.closeOnExit === true ? closeOnExit(() => this.close()) : () => undefined;
  }

  /** Resolves when the event is kept as `durability` says. A rejection means that it is not, and names its key. */
  async record(call: ToolCall): Promise<Recorded> {
    const event = toEvent(call, this.#clock);
    const { idempotencyKey } = event;
    if (this.#closed) throw new SpoolError('the meter is closed', { code: 'meter_closed', idempotencyKey });
    try {
      await this.#spool.append(event);
    } catch (error) {
      throw toSpoolError(error, idempotencyKey);
    }
    this.#sender.notice();
    return { idempotencyKey };
  }

  /** Writes the call to `rejected.jsonl`, and tells `onRejected`. */
  async abandon(call: ToolCall, detail: string): Promise<void> {
    const { json } = toEvent(call, this.#clock);
    const error = { status: 0, code: endUnknown as ItemError['code'], detail }; // a code of ours, not of the service
    await this.#spool.keepRefused([{ event: json, error }]);
    this.#onRefused({ event: json, error });
  }

  stats(): MeterStats {
    return {
      ...this.#spool.figures(),
      ...this.#counts,
      oldest: this.#sender.oldest,
      lastError: this.#lastError,
    };
  }

  /**
   * Sends what it can in this time (default: 5,000 ms), and says what is left and why. It does not wait for what no wait
   * mends, such as the key of another account.
   */
  async close({ timeoutMs = closeTimeoutMs }: { readonly timeoutMs?: number } = {}): Promise<Closed> {
    this.#closed ??= this.#close(timeoutMs);
    return this.#closed;
  }

  async #close(timeoutMs: number): Promise<Closed> {
    this.#forgetExit();
    clearInterval(this.#tending);
    await this.#spool.flushed();
    await this.#sender.drain(timeoutMs);
    const closed = await closeSpool(this.#spool, this.#lastError);
    if (closed.left > 0) this.#warn(`the meter is closed, and ${closed.left} events are not sent: ${closed.reason}`);
    return closed;
  }

  #tend(): void {
    this.#spool.tend().then(
      () => this.#sender.notice(),
      (error: Error) => this.#warn(`the spool folder cannot be maintained: ${error.message}`),
    );
  }

  #noteSent(recorded: number, duplicates: number): void {
    this.#counts.sent += recorded + duplicates;
    this.#counts.duplicates += duplicates;
    this.#lastError = undefined;
    channels.sent.publish({ recorded, duplicates });
  }

  #noteRefused({ event, error }: Refusal, onRejected: (rejected: RejectedEvent) => void): void {
    const sent = parseSent(event);
    const rejected = { ...error, event: sent, message: refusalMessage(toCall(sent), error) };
    this.#counts.rejected += 1;
    channels.rejected.publish(rejected);
    try {
      onRejected(rejected);
    } catch (error) {
      this.#warn(`\`onRejected\` failed: ${String(error)}`); // the event is settled all the same
    }
  }

  /** A spool may have many events that are refused for one reason. */
  #tell(message: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#warnedMs < refusalQuietMs) return;
    this.#warnedMs = nowMs;
    this.#warn(message);
  }

  #noteFailed(error: Error): void {
    this.#counts.failures += 1;
    this.#lastError = error;
    channels.failed.publish({ error });
  }
}

function toCall(sent: RejectedEvent['event']): Pick<ToolCall, 'tool' | 'timestamp'> {
  const { tool_id: tool, timestamp } = typeof sent === 'string' ? {} : sent;
  return {
    tool: typeof tool === 'string' ? tool : 'a tool',
    timestamp: typeof timestamp === 'string' ? timestamp : undefined,
  };
}

/** With a clock of one's own, for tests. */
export async function openMeter(options: MeterOptions, clock: Clock): Promise<Meter> {
  const { dir, durability = 'disk', maxBytes = maxBytesDefault } = options;
  if (durability === 'memory') return new Meter(options, createMemorySpool({ maxBytes }), clock);
  if (dir === undefined) throw new TypeError("`dir` must name a folder, unless `durability` is 'memory'");
  const isFlushed = durability === 'disk';
  const spool = await openDiskSpool({ dir, isFlushed, maxBytes, clock, warn: warningOf(options) });
  return new Meter(options, spool, clock);
}

/** A callback that throws takes nothing with it, and what it was to say is said elsewhere. */
function warningOf({ onWarning = emitWarning }: MeterOptions): (message: string) => void {
  return function warn(message) {
    try {
      onWarning(message);
    } catch (error) {
      emitWarning(`${message} (and \`onWarning\` failed: ${String(error)})`);
    }
  };
}

function emitWarning(message: string): void {
  process.emitWarning(message, { type: 'TollgateWarning' });
}
