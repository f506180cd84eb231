import type { Query } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

export function usageOf(call: Call) {
  return {
    /** Sums of calls, durations, measures and money. Default: your calls of the current month. */
    get: (query?: Query<'getUsage'>, options?: CallOptions) => call('getUsage', { query }, options),
  };
}
