import type { EventInput } from '@tollgate/contracts/events';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { createSubmission } from '../domain/create-submission.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Attempt } from './attempt.ts';
import { notDurableInTime } from './not-durable.ts';

export interface EventsRequest {
  readonly consumerId: string;
  readonly events: readonly EventInput[];
  /** What the request holds in memory until it is answered. */
  readonly bytes: number;
}

/** What happened, per event, in the order given. Never rejects, and is there by the deadline. */
export type RecordEvents = (request: EventsRequest) => Promise<readonly Outcome[]>;

export interface RecordEventsOptions {
  readonly appendDeadlineMs: number;
  readonly heldEventsMax: number;
  readonly heldBytesMax: number;
}

export interface RecordEventsDeps {
  readonly recordEvent: (attempt: Attempt) => void;
  readonly clock: Clock;
  /** Told what is held whenever it changes. */
  readonly onHeld: (events: number, bytes: number) => void;
}

/**
 * The deadline and the bound. An outcome that comes after the deadline is `unknown` even if it is a durable append: the
 * watermark has gone on without it. It has by monotonic time, and as well when the clock was moved past the deadline
 * meanwhile, since the watermark follows that one. What would be one too many is refused at once.
 */
export function createRecordEvents(options: RecordEventsOptions, deps: RecordEventsDeps): RecordEvents {
  const { appendDeadlineMs, heldEventsMax, heldBytesMax } = options;
  const { recordEvent, clock, onHeld } = deps;
  let heldEvents = 0;
  let heldBytes = 0;

  return async function recordEvents({ consumerId, events, bytes }) {
    if (events.length === 0) return [];
    if (heldEvents + events.length > heldEventsMax || heldBytes + bytes > heldBytesMax) return events.map(refuse);
    const expiresAtMs = clock.monotonicMs() + appendDeadlineMs;
    const receipt = { consumerId, receivedAtMs: clock.now(), expiresAtMs };
    const isInTime = (): boolean =>
      clock.monotonicMs() < expiresAtMs && clock.now() < receipt.receivedAtMs + appendDeadlineMs;
    hold(events.length, bytes);
    return collect(events.length, (settle) => {
      let unsettled = events.length;
      events.forEach((event, index) => {
        const submission = createSubmission(event, receipt);
        recordEvent({
          submission,
          settle(outcome) {
            unsettled -= 1;
            if (unsettled === 0) hold(-events.length, -bytes);
            settle(index, isInTime() ? outcome : inTimeOnly(outcome));
          },
        });
      });
    });
  };

  function hold(events: number, bytes: number): void {
    heldEvents += events;
    heldBytes += bytes;
    onHeld(heldEvents, heldBytes);
  }

  function collect(
    count: number,
    start: (settle: (index: number, outcome: Outcome) => void) => void,
  ): Promise<Outcome[]> {
    return new Promise((resolve) => {
      const outcomes: (Outcome | undefined)[] = Array.from({ length: count }, () => undefined);
      let missing = count;
      const finish = (): void => {
        clearTimeout(timer);
        resolve(Array.from(outcomes, (outcome) => outcome ?? { kind: 'unknown', error: notDurableInTime() }));
      };
      const timer = setTimeout(finish, appendDeadlineMs);
      start((index, outcome) => {
        outcomes[index] = outcome;
        missing -= 1;
        if (missing === 0) finish();
      });
    });
  }
}

/** A refusal is true at any time; a success is not. */
function inTimeOnly(outcome: Outcome): Outcome {
  return outcome.kind === 'rejected' ? outcome : { kind: 'unknown', error: notDurableInTime() };
}

function refuse(): Outcome {
  const message = 'The gateway holds as many events as it may; try again in a moment.';
  return { kind: 'unknown', error: new AppError('unavailable', 'unavailable', message, { retryAfterSeconds: 1 }) };
}
