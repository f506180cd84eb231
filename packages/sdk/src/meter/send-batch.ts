import type { CallOptions } from '../client/attempt.ts';
import { TollgateError } from '../client/error.ts';
import type { Call } from '../client/request.ts';
import { planSettlement, type Settlement } from './plan-settlement.ts';

export type Outcome =
  | { readonly kind: 'answered'; readonly settlement: Settlement }
  /** The service refused the request as a whole because of what is in it: fewer events may pass. */
  | { readonly kind: 'refused'; readonly error: TollgateError }
  | { readonly kind: 'failed'; readonly error: TollgateError };

/** Sends events, each as JSON, in one request, once. */
export async function sendBatch(call: Call, events: readonly string[], options: CallOptions): Promise<Outcome> {
  const text = `{"events":[${events.join(',')}]}`;
  try {
    const { results } = await call('recordEvents', { text, isKeyedByBody: true }, { ...options, retries: 0 });
    if (results.length === events.length) return { kind: 'answered', settlement: planSettlement(results) };
    const detail = `${events.length} events were sent, and ${results.length} results came back`;
    return { kind: 'failed', error: new TollgateError({ status: 200, code: 'unexpected_answer', detail }) };
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error;
    const isRefused = error.code === 'invalid_request' || error.code === 'payload_too_large';
    return { kind: isRefused ? 'refused' : 'failed', error };
  }
}
