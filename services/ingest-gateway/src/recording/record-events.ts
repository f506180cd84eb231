import type { EventInput } from '@tollgate/contracts/events';
import type { Clock } from '@tollgate/kernel/clock';
import { createSubmission } from './create-submission.ts';
import type { Outcome } from './outcome.ts';
import type { Attempt } from './attempt.ts';
import { noRoom, type Held } from './held.ts';
import { notDurableInTime } from './not-durable.ts';

export interface EventsRequest {
  readonly consumerId: string;
  readonly events: readonly EventInput[];
  /** What the request holds in memory until it is answered. */
  readonly bytes: number;
}

/** What happened, per event, in the order given. Never rejects, and is there by the deadline. */
export type RecordEvents = (request: EventsRequest) => Promise<readonly Outcome[]>;

export interface RecordEventsDeps {
  readonly appendDeadlineMs: number;
  readonly recordEvent: (attempt: Attempt) => void;
  readonly held: Held;
  readonly clock: Clock;
}

/**
 * The deadline and the bound. An outcome that comes after the deadline is `unknown` even if it is a durable append: the
 * watermark has gone on without it. It has by monotonic time, and as well when the clock was moved past the deadline
 * meanwhile, since the watermark follows that one. What would be one too many is refused at once.
 */
export function createRecordEvents(deps: RecordEventsDeps): RecordEvents {
  const { appendDeadlineMs, recordEvent, held, clock } = deps;

  return async function recordEvents({ consumerId, events, bytes }) {
    if (events.length === 0) return [];
    if (!held.hasRoomFor(events.length, bytes)) return events.map(() => ({ kind: 'unknown', error: noRoom }));
    const expiresAtMs = clock.monotonicMs() + appendDeadlineMs;
    const receipt = { consumerId, receivedAtMs: clock.now(), expiresAtMs };
    const isInTime = (): boolean =>
      clock.monotonicMs() < expiresAtMs && clock.now() < receipt.receivedAtMs + appendDeadlineMs;
    held.add(events.length, bytes);
    return collect(events.length, (settle) => {
      let unsettled = events.length;
      events.forEach((event, index) => {
        const submission = createSubmission(event, receipt);
        recordEvent({
          submission,
          settle(outcome) {
            unsettled -= 1;
            if (unsettled === 0) held.remove(events.length, bytes);
            settle(index, isInTime() ? outcome : inTimeOnly(outcome));
          },
        });
      });
    });
  };

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
      // One timer a request and no promise beside it: this is the hot path.
      // oxlint-disable-next-line tollgate/timing
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
