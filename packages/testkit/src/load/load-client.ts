import { toEventBody, type LoadEvent } from './load-event.ts';

/** What became of one event of a request. */
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

const patienceMs = 15_000; // three times the service's own deadline

/** Sends one event by `POST /v1/events`, several by the batch route, and says of each what is known then. */
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
    const outcome = response.status === 201 ? toSingleOutcome(response, answer as SingleAnswer) : toFailure(response);
    return events.map(() => outcome);
  } catch (error) {
    const outcome = toBrokenOutcome(error);
    return events.map(() => outcome);
  }
}

function toSingleOutcome(response: Response, answer: SingleAnswer): Outcome {
  const isReplay = response.headers.get('idempotent-replayed') === 'true';
  return { kind: 'acknowledged', eventId: answer.event_id, timestamp: answer.timestamp, isReplay };
}

function toBatchOutcome({ status, event_id, timestamp, error }: BatchAnswer['results'][number]): Outcome {
  if (event_id !== undefined && timestamp !== undefined && (status === 'recorded' || status === 'duplicate')) {
    return { kind: 'acknowledged', eventId: event_id, timestamp, isReplay: status === 'duplicate' };
  }
  if (status === 'rejected') return { kind: 'refused', reason: error?.code ?? 'no reason', mayRetry: false };
  return { kind: 'unknown', reason: error?.code ?? status };
}

/** 4xx is decided before the log is asked; after 5xx the event may be there or not. */
function toFailure(response: Response): Outcome {
  if (response.status >= 500) return { kind: 'unknown', reason: String(response.status) };
  return { kind: 'refused', reason: String(response.status), mayRetry: response.status === 429 };
}

/** Where nobody listens nothing was sent; any other break leaves the outcome open. */
function toBrokenOutcome(error: unknown): Outcome {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
  if (code === 'ECONNREFUSED') return { kind: 'refused', reason: code, mayRetry: true };
  return { kind: 'unknown', reason: code };
}
