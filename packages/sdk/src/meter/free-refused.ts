import type { CallOptions } from '../client/attempt.ts';
import { TollgateError } from '../client/error.ts';
import type { Call } from '../client/request.ts';
import { parseSent } from './parse-sent.ts';
import { SpoolError } from './spool-error.ts';
import type { Refusal } from './spool.ts';

const freedAtOnce = 10;
/** Statuses that speak of the moment: the same request may pass later. */
const momentary = new Set([408, 425, 429]);
/** Statuses that speak of the key. Events wait until it is another one. */
const ofKey = new Set([401, 403]);

/**
 * Frees what the calls of refused events held: nobody captures it any more. Rejects if that has to be tried again; then the
 * events must not be settled yet.
 */
export async function freeRefused(
  call: Call,
  refusals: readonly Pick<Refusal, 'event'>[],
  options: CallOptions,
): Promise<void> {
  const ids = refusals.flatMap(({ event }) => authorizationIdsOf(event));
  for (let first = 0; first < ids.length; first += freedAtOnce)
    await Promise.all(ids.slice(first, first + freedAtOnce).map((id) => free(call, id, options)));
}

/**
 * Whether an error of `record()` says that the event is never recorded: Tollgate refuses it, or it cannot be written. False for
 * one that may have been recorded, and for a call that holds nothing any more.
 */
export function isNeverRecorded(error: unknown): boolean {
  if (error instanceof SpoolError) return error.code === 'spool_full' || error.code === 'meter_closed';
  if (!(error instanceof TollgateError)) return error instanceof TypeError || error instanceof RangeError;
  return isOfRequest(error) && error.code !== 'authorization_not_open';
}

async function free(call: Call, id: string, options: CallOptions): Promise<void> {
  try {
    await call('releaseAuthorization', { path: { authorization_id: id } }, options);
  } catch (error) {
    const isFree = error instanceof TollgateError && isOfRequest(error) && !ofKey.has(error.status);
    if (!isFree) throw error; // else it is captured, expired, or none
  }
}

function isOfRequest({ status }: TollgateError): boolean {
  return status >= 400 && status < 500 && !momentary.has(status);
}

function authorizationIdsOf(event: string): string[] {
  const sent = parseSent(event);
  const id = typeof sent === 'object' ? sent?.['authorization_id'] : undefined;
  return typeof id === 'string' ? [id] : [];
}
