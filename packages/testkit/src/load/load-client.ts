import { toEventBody, type LoadEvent } from './load-event.ts';

/** The outcome of one event of a request. */
export type Outcome =
  | { readonly kind: 'acknowledged'; readonly eventId: string; readonly timestamp: string; readonly isReplay: boolean }
  | { readonly kind: 'refused'; readonly reason: string; readonly mayRetry: boolean }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface LoadRequest {
  readonly baseUrl: string;
  readonly credential: string;
  readonly events: readonly LoadEvent[];
}

interface BatchAnswer {
  readonly results: readonly {
    readonly status: string;
    readonly event_id?: string;
    readonly timestamp?: string;
    readonly error?: { readonly code: string };
  }[];
}
interface SingleAnswer {
  readonly event_id: string;
  readonly timestamp: string;
}

export const replayedHeader = 'idempotent-replayed';
const patienceMs = 15_000; // three times the service's own deadline

/** Sends one event by `POST /v1/events`, several by the batch route, and returns the outcome of each. */
export async function sendEvents({ baseUrl, credential, events }: LoadRequest): Promise<readonly Outcome[]> {
  const [first] = events;
  const isBatch = events.length > 1;
  const body = isBatch ? { events: events.map(toEventBody) } : first && toEventBody(first);
  try {
    const response = await fetch(`${baseUrl}/v1/events${isBatch ? '/batch' : ''}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    const answer: unknown = await response.json();
    if (response.status === 200) return (answer as BatchAnswer).results.map(toBatchOutcome);
    const outcome = toOutcome({ status: response.status, replayed: response.headers.get(replayedHeader) }, answer);
    return events.map(() => outcome);
  } catch (error) {
    const outcome = toBrokenOutcome(error);
    return events.map(() => outcome);
  }
}

function toBatchOutcome({ status, event_id, timestamp, error }: BatchAnswer['results'][number]): Outcome {
  if (event_id !== undefined && timestamp !== undefined && (status === 'recorded' || status === 'duplicate')) {
    return { kind: 'acknowledged', eventId: event_id, timestamp, isReplay: status === 'duplicate' };
  }
  if (status === 'rejected') return { kind: 'refused', reason: error?.code ?? 'no reason', mayRetry: false };
  return { kind: 'unknown', reason: error?.code ?? status };
}

interface AnswerHead {
  readonly status: number;
  /** The value of `replayedHeader`. */
  readonly replayed: string | null | undefined;
}

/** The outcome by status. 4xx is decided before the append; after 5xx the event may be in the log or not. */
export function toOutcome({ status, replayed }: AnswerHead, answer: unknown): Outcome {
  if (status >= 500) return { kind: 'unknown', reason: String(status) };
  if (status !== 201) return { kind: 'refused', reason: String(status), mayRetry: status === 429 };
  const { event_id: eventId, timestamp } = answer as SingleAnswer;
  return { kind: 'acknowledged', eventId, timestamp, isReplay: replayed === 'true' };
}

/** A refused connection has sent nothing; any other failure leaves the outcome unknown. */
function toBrokenOutcome(error: unknown): Outcome {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
  if (code === 'ECONNREFUSED') return { kind: 'refused', reason: code, mayRetry: true };
  return { kind: 'unknown', reason: code };
}
