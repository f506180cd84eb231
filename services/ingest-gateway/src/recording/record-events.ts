import type { EventInput } from '@tollgate/contracts/events/events';
import type { Clock } from '@tollgate/kernel/clock';
import { createDeadlines, Deadline, type Deadlines } from '@tollgate/runtime/timing/deadlines';
import type { Attempt } from '../submissions/attempt.ts';
import { createSubmission, type Receipt } from '../submissions/create-submission.ts';
import type { EventIds } from '../submissions/event-ids.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { Submission } from '../submissions/submission.ts';
import type { Claim } from '../keys/claim.ts';
import type { Pass } from '../passes/pass.ts';
import { noRoom, type Held } from './held.ts';
import { notDurableInTime } from './not-durable.ts';
import type { TraceEvent, TracedEvent } from './trace-events.ts';

export interface EventsRequest {
  readonly consumerId: string;
  /** The pass that sends the events, for the account. */
  readonly pass?: Pass | undefined;
  readonly events: readonly EventInput[];
  /** The memory that the request holds until its answer. */
  readonly bytes: number;
  /** Called once, by the deadline, with the outcome of each event in the order given. */
  onOutcomes(outcomes: readonly Outcome[]): void;
}

export type RecordEvents = (request: EventsRequest) => void;

export interface RecordEventsDeps {
  readonly appendDeadlineMs: number;
  readonly claim: Claim;
  readonly held: Held;
  readonly eventIds: Pick<EventIds, 'of'>;
  readonly clock: Clock;
  /** Undefined: nobody traces. */
  readonly traceEvent?: TraceEvent | undefined;
}

/**
 * Applies the deadline and the bound. A success after the deadline becomes `unknown`, even if its append is durable: the
 * watermark has moved on without the event. The deadline holds by monotonic time, and by the movable clock as well, since
 * the watermark follows that clock. Events beyond the bound are refused at once.
 */
export function createRecordEvents(deps: RecordEventsDeps): RecordEvents {
  const { appendDeadlineMs, claim, held, eventIds, clock, traceEvent } = deps;
  const deadlines = createDeadlines(appendDeadlineMs);
  const keeper = { held, deadlines, isInTime };

  function isInTime({ receivedAtMs, expiresAtMs }: Receipt): boolean {
    return clock.monotonicMs() < expiresAtMs && clock.now() < receivedAtMs + appendDeadlineMs;
  }

  return function recordEvents(request) {
    const { consumerId, pass, events, bytes } = request;
    if (events.length === 0) return request.onOutcomes([]);
    if (!held.hasRoomFor(events.length, bytes)) {
      return request.onOutcomes(events.map(() => ({ kind: 'unknown', error: noRoom })));
    }
    const expiresAtMs = clock.monotonicMs() + appendDeadlineMs;
    const receipt = { consumerId, pass, receivedAtMs: clock.now(), expiresAtMs, eventIds };
    held.add(events.length, bytes);
    const recording = new Recording(request, receipt, keeper);
    deadlines.start(recording);
    events.forEach((event, index) => {
      const traced = traceEvent?.(event, receipt.receivedAtMs);
      const submission = createSubmission(event, receipt, traced?.traceparent);
      claim(new EventAttempt(recording, index, submission, traced));
    });
  };
}

interface Keeper extends Pick<RecordEventsDeps, 'held'> {
  readonly deadlines: Deadlines;
  isInTime(receipt: Receipt): boolean;
}

/** The events of one request, on their way. */
class Recording extends Deadline {
  readonly #request: EventsRequest;
  readonly #receipt: Receipt;
  readonly #keeper: Keeper;
  readonly #outcomes: (Outcome | undefined)[];
  #unsettled: number;
  #isAnswered = false;

  constructor(request: EventsRequest, receipt: Receipt, keeper: Keeper) {
    super();
    this.#request = request;
    this.#receipt = receipt;
    this.#keeper = keeper;
    this.#unsettled = request.events.length;
    this.#outcomes = request.events.map(() => undefined);
  }

  settle({ index, traced }: EventAttempt, settled: Outcome): void {
    const { held, isInTime } = this.#keeper;
    this.#unsettled -= 1;
    const isLast = this.#unsettled === 0;
    if (isLast) held.remove(this.#outcomes.length, this.#request.bytes);
    const outcome = isInTime(this.#receipt) ? settled : inTimeOnly(settled);
    traced?.settle(outcome);
    this.#outcomes[index] = outcome;
    if (isLast) this.#answer();
  }

  override onExpired(): void {
    this.#answer();
  }

  #answer(): void {
    if (this.#isAnswered) return; // at the deadline
    this.#isAnswered = true;
    this.#keeper.deadlines.end(this);
    this.#request.onOutcomes(
      this.#outcomes.map((outcome) => outcome ?? { kind: 'unknown', error: notDurableInTime() }),
    );
  }
}

/** One event of a recording. */
class EventAttempt implements Attempt {
  readonly #recording: Recording;
  readonly index: number;
  readonly submission: Submission;
  readonly traced: TracedEvent | undefined;

  // oxlint-disable-next-line max-params -- its four parts; an object for them would be one more for each event
  constructor(recording: Recording, index: number, submission: Submission, traced: TracedEvent | undefined) {
    this.#recording = recording;
    this.index = index;
    this.submission = submission;
    this.traced = traced;
  }

  settle(outcome: Outcome): void {
    this.#recording.settle(this, outcome);
  }
}

/** The same as a promise. */
export function outcomesOf(
  recordEvents: RecordEvents,
  request: Omit<EventsRequest, 'onOutcomes'>,
): Promise<readonly Outcome[]> {
  return new Promise((onOutcomes) => recordEvents({ ...request, onOutcomes }));
}

/** A refusal stays true after the deadline; a success does not. */
function inTimeOnly(outcome: Outcome): Outcome {
  return outcome.kind === 'rejected' ? outcome : { kind: 'unknown', error: notDurableInTime() };
}
