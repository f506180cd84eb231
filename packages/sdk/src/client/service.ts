import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** The service itself. None of these needs an API key. */
export function serviceOf(call: Call) {
  return {
    /** Whether the process runs. */
    live: (options?: CallOptions) => call('getLiveness', {}, options),
    /** Whether it can do its work. */
    ready: (options?: CallOptions) => call('getReadiness', {}, options),
    openApi: (options?: CallOptions) => call('getOpenApi', {}, options),
    /** The public keys that sign access tokens. */
    signingKeys: (options?: CallOptions) => call('getSigningKeys', {}, options),
  };
}
