import type { EventInput } from '@tollgate/contracts/events/events';
import type { Clock } from '@tollgate/kernel/clock';
import { createSubmission } from '../submissions/create-submission.ts';
import type { EventIds } from '../submissions/event-ids.ts';
import type { Outcome } from '../submissions/outcome.ts';
import type { Claim } from '../keys/claim.ts';
import type { Pass } from '../passes/pass.ts';
import { noRoom, type Held } from './held.ts';
import { notDurableInTime } from './not-durable.ts';
import type { TraceEvent } from './trace-events.ts';

export interface EventsRequest {
  readonly consumerId: string;
  /** The pass that sends the events, for the account. */
  readonly pass?: Pass | undefined;
  readonly events: readonly EventInput[];
  /** The memory that the request holds until its answer. */
  readonly bytes: number;
}

/** Resolves with the outcome of each event, in the order given, by the deadline. Never rejects. */
export type RecordEvents = (request: EventsRequest) => Promise<readonly Outcome[]>;

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

  return async function recordEvents({ consumerId, pass, events, bytes }) {
    if (events.length === 0) return [];
    if (!held.hasRoomFor(events.length, bytes)) return events.map(() => ({ kind: 'unknown', error: noRoom }));
    const expiresAtMs = clock.monotonicMs() + appendDeadlineMs;
    const receipt = { consumerId, pass, receivedAtMs: clock.now(), expiresAtMs, eventIds };
    const isInTime = (): boolean =>
      clock.monotonicMs() < expiresAtMs && clock.now() < receipt.receivedAtMs + appendDeadlineMs;
    held.add(events.length, bytes);
    return collect(events.length, (settle) => {
      let unsettled = events.length;
      events.forEach((event, index) => {
        const traced = traceEvent?.(event, receipt.receivedAtMs);
        const submission = createSubmission(event, receipt, traced?.traceparent);
        claim({
          submission,
          settle(settled) {
            unsettled -= 1;
            if (unsettled === 0) held.remove(events.length, bytes);
            const outcome = isInTime() ? settled : inTimeOnly(settled);
            traced?.settle(outcome);
            settle(index, outcome);
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
      // One timer per request and no further promise: this is the hot path.
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

/** A refusal stays true after the deadline; a success does not. */
function inTimeOnly(outcome: Outcome): Outcome {
  return outcome.kind === 'rejected' ? outcome : { kind: 'unknown', error: notDurableInTime() };
}
