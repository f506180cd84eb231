import { wait } from '../wait.ts';
import { toAttempt, type Attempt, type CallOptions, type Connection, type Filling } from './attempt.ts';
import { TollgateError } from './error.ts';
import type { Answer, OperationId } from './operation-types.ts';
import { createRetryBudget, delayMsBefore, mayRepeat, type RetryBudget } from './retry.ts';
import { noAnswer, reasonOf, toError } from './to-error.ts';

export type Call = <Id extends OperationId>(id: Id, filling?: Filling, options?: CallOptions) => Promise<Answer<Id>>;

/** Sends requests, and repeats those that may be repeated. */
export function createCall(connection: Connection): Call {
  const budget = createRetryBudget();
  return async function call(id, filling = {}, options = {}) {
    const attempt = toAttempt(connection, { id, filling, options });
    // The generated types say what each operation answers; the service's own tests hold it to them.
    return (await sendWithRepeats(connection, { attempt, options, budget })) as Answer<typeof id>;
  };
}

interface Sending {
  readonly attempt: Attempt;
  readonly options: CallOptions;
  readonly budget: RetryBudget;
}

async function sendWithRepeats(connection: Connection, { attempt, options, budget }: Sending): Promise<unknown> {
  const { signal, retries = connection.retries } = options;
  for (let repeats = 0; ; repeats += 1) {
    try {
      const answer = await sendOnce(connection, attempt, options);
      budget.earn();
      return answer;
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error;
      if (repeats > 0 && isGone(error, attempt)) return undefined;
      const delayMs = repeats < retries ? delayMsOf(error, attempt, repeats) : undefined;
      if (delayMs === undefined || !budget.take()) throw error;
      await wait(delayMs, signal);
    }
  }
}

/** An earlier try of this call deleted it, and its answer was lost. */
function isGone({ status }: TollgateError, { method }: Attempt): boolean {
  return method === 'DELETE' && status === 404;
}

/** The wait before the next try; undefined if there must be none. */
function delayMsOf({ status, code, retryAfter }: TollgateError, { isSafeToRepeat }: Attempt, repeats: number) {
  if (!mayRepeat({ isSafeToRepeat, status, code })) return undefined;
  return delayMsBefore({ repeats, retryAfter, random: Math.random() });
}

async function sendOnce(connection: Connection, { url, request }: Attempt, options: CallOptions): Promise<unknown> {
  const { fetch } = connection; // some platforms refuse to call it as a method
  const { signal, timeoutMs = connection.timeoutMs } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    signal?.throwIfAborted();
    const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const response = await fetch(url, { ...request, signal: both });
    return await readAnswer(response, url);
  } catch (error) {
    if (error instanceof TollgateError) throw error;
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) throw noAnswer('timed_out', `${url} did not answer within ${timeoutMs} ms`, error);
    throw noAnswer('connection_failed', `${url} cannot be reached: ${reasonOf(error)}`, error);
  }
}

async function readAnswer(response: Response, url: string): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.startsWith('application/json')) return response.json();
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  throw toError({ status, headers, url, text: await response.text() });
}
