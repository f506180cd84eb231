import { TollgateError } from '../client/error.ts';
import type { Call } from '../client/request.ts';
import type { Clock } from '../clock.ts';
import { timerMsMax } from '../wait.ts';
import { createAlarm } from './alarm.ts';
import { backOffMs } from './back-off.ts';
import { freeRefused } from './free-refused.ts';
import { keepRunning } from './keep-running.ts';
import type { ItemError, Settlement } from './plan-settlement.ts';
import { sendBatch } from './send-batch.ts';
import type { Refusal, Spool, SpoolBatch } from './spool.ts';

export interface SenderOptions {
  readonly spool: Spool;
  readonly call: Call;
  readonly clock: Clock;
  /** How long a request waits for more events, unless it is full. */
  readonly lingerMs: number;
  onSent(settlement: Settlement): void;
  onRefused(refusal: Refusal): void;
  /** A request failed, and its events are sent again. */
  onFailed(error: Error): void;
  warn(message: string): void;
}

const eventsMax = 1000;
const bytesMax = 900_000; // the service takes 1 MiB
const oldAgeMs = 12 * 3_600_000;
const warningEveryMs = 3_600_000;
const restartMs = 1_000;

/** Sends the events of a spool, the oldest first, one request at a time, until all are settled. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #alarm = createAlarm();
  readonly #ended = new AbortController();
  readonly #loop: Promise<void>;
  /** `events`: for the first one. `more`: for a full request. Undefined: it sends, or waits as long as it was told. */
  #waitsFor: 'events' | 'more' | undefined;
  #isDraining = false;
  #hasAccount = false;
  #batchMax = eventsMax;
  #failures = 0;
  /** Why the last request was refused, if that lasts until somebody acts. */
  #refusal: TollgateError | undefined;
  #warnedMs: number | undefined;
  #oldest: string | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#loop = keepRunning({
      name: 'the sender',
      work: () => this.#run(),
      warn: options.warn,
      pause: () => this.#alarm.wait(restartMs),
    });
  }

  /** The time of the oldest event, as of the last request. */
  get oldest(): string | undefined {
    return this.#oldest;
  }

  /** There are new events. */
  notice(): void {
    if (this.#waitsFor === 'events' || (this.#waitsFor === 'more' && this.#isFull())) this.#alarm.ring();
  }

  /**
   * Sends what there is, without waiting for more, until nothing is left, the time is over, or the service refuses what no
   * wait mends.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    this.#alarm.ring();
    const timer = setTimeout(() => this.#end(), Math.min(timeoutMs, timerMsMax));
    await this.#loop;
    clearTimeout(timer);
  }

  #end(): void {
    this.#ended.abort();
    this.#alarm.ring();
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const pauseMs = await this.#sendNext().catch((error: unknown) => this.#fail(error));
      if (this.#isDraining && (pauseMs === undefined || this.#refusal !== undefined)) return;
      if (!this.#ended.signal.aborted) await this.#pause(pauseMs);
    }
  }

  /** Waits for events if there are none, then a moment for more of them. */
  async #pause(pauseMs: number | undefined): Promise<void> {
    if (pauseMs !== undefined && pauseMs > 0) return this.#alarm.wait(pauseMs);
    if (pauseMs === undefined) await this.#waitFor('events');
    if (!this.#isDraining && !this.#isFull()) await this.#waitFor('more', this.#options.lingerMs);
  }

  async #waitFor(what: 'events' | 'more', ms?: number): Promise<void> {
    this.#waitsFor = what;
    await this.#alarm.wait(ms);
    this.#waitsFor = undefined;
  }

  #isFull(): boolean {
    return this.#options.spool.figures().queued >= this.#batchMax;
  }

  /** Returns the wait before the next request; undefined if there was nothing to send. */
  async #sendNext(): Promise<number | undefined> {
    const batch = await this.#options.spool.next({ eventsMax: this.#batchMax, bytesMax });
    if (batch === undefined) {
      this.#oldest = undefined;
      return undefined;
    }
    this.#oldest = timeOf(batch.events[0]);
    await this.#requireAccount();
    const outcome = await sendBatch(this.#options.call, batch.events, { signal: this.#ended.signal });
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'refused') return this.#divide(batch, outcome.error);
    return this.#settle(batch, outcome.settlement);
  }

  async #settle(batch: SpoolBatch, settlement: Settlement): Promise<number> {
    const { onRefused, onSent } = this.#options;
    const refusals = settlement.rejected.flatMap(({ index, error }) => toRefusal(batch.events[index], error));
    if (refusals.length > 0) await this.#refuse(refusals);
    await batch.settle(settlement.settled);
    onSent(settlement);
    refusals.forEach(onRefused);
    if (settlement.settled < batch.events.length) {
      const detail = 'the service does not know yet whether an event is durable; it is sent again';
      throw new TollgateError({ status: 200, code: 'unavailable', detail });
    }
    this.#failures = 0;
    this.#refusal = undefined;
    this.#batchMax = Math.min(eventsMax, this.#batchMax * 2);
    return 0;
  }

  /** The service takes no part of a request that it cannot read. Halved again and again, one event alone is left. */
  async #divide({ events, settle }: SpoolBatch, { status, code, detail }: TollgateError): Promise<number> {
    const [event = ''] = events;
    if (events.length > 1) {
      this.#batchMax = Math.ceil(events.length / 2);
      return 0;
    }
    const refusal: Refusal = { event, error: { status, code: code as ItemError['code'], detail } };
    await this.#refuse([refusal]);
    await settle(1);
    this.#options.onRefused(refusal);
    return 0;
  }

  /** Their money is free before they are settled: a program that dies meanwhile sends them again. */
  async #refuse(refusals: readonly Refusal[]): Promise<void> {
    const { call, spool } = this.#options;
    await freeRefused(call, refusals, { signal: this.#ended.signal });
    await spool.keepRefused(refusals);
  }

  async #requireAccount(): Promise<void> {
    if (this.#hasAccount) return;
    const { call, spool } = this.#options;
    const { account_id: accountId } = await call('getAccount', {}, { signal: this.#ended.signal, retries: 0 });
    if (!(await spool.belongsTo(accountId))) {
      const detail = `the spool has events of another account than ${accountId}, whose API key this is; give each account a \`dir\``;
      throw new TollgateError({ status: 0, code: 'wrong_account', detail });
    }
    this.#hasAccount = true;
  }

  #fail(error: unknown): number {
    if (this.#ended.signal.aborted) return 0;
    this.#failures += 1;
    this.#options.onFailed(error as Error);
    this.#noteRefusal(error instanceof TollgateError && isLasting(error) ? error : undefined);
    this.#warnOfAge();
    const retryAfter = error instanceof TollgateError ? error.retryAfter : undefined;
    return backOffMs({ failures: this.#failures, retryAfter, random: Math.random() });
  }

  /** Said once: whoever runs the program has to act. */
  #noteRefusal(refusal: TollgateError | undefined): void {
    const isNews = refusal !== undefined && refusal.code !== this.#refusal?.code;
    this.#refusal = refusal;
    if (isNews) this.#options.warn(`events wait and are not sent: ${refusal.message}`);
  }

  #warnOfAge(): void {
    const { clock, warn } = this.#options;
    const ageMs = clock.now() - Date.parse(this.#oldest ?? '');
    const isQuiet = this.#warnedMs !== undefined && clock.monotonicMs() - this.#warnedMs < warningEveryMs;
    if (!(ageMs > oldAgeMs) || isQuiet) return;
    this.#warnedMs = clock.monotonicMs();
    warn(`the oldest event that waits to be sent is of ${this.#oldest}; Tollgate refuses events of more than 24 hours`);
  }
}

/** The key must be another one, or its account must be let in again. */
function isLasting({ status, code }: TollgateError): boolean {
  return status === 401 || status === 403 || code === 'wrong_account' || code === 'no_api_key';
}

function toRefusal(event: string | undefined, error: ItemError): Refusal[] {
  return event === undefined ? [] : [{ event, error }];
}

function timeOf(json = '{}'): string | undefined {
  try {
    const { timestamp } = JSON.parse(json) as { timestamp?: unknown };
    return typeof timestamp === 'string' ? timestamp : undefined;
  } catch {
    return undefined; // the service will refuse it
  }
}
