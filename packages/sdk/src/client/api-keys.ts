import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** API keys. An API key cannot manage API keys: use `tollgate.with({ apiKey: accessToken })`. */
export function apiKeysOf(call: Call) {
  return {
    /** Creates a key. The answer alone has it in `key`; a repeat of the request has not. */
    create: (body: Schemas['NewApiKey'], options?: CallOptions) => call('createApiKey', { body }, options),
    list: (query?: Query<'listApiKeys'>, options?: CallOptions) =>
      new Listing(call, { id: 'listApiKeys', query, options }, (page) => page.api_keys),
    /** Revokes a key: it is refused everywhere within a second. */
    delete: (id: string, options?: CallOptions) => call('deleteApiKey', { path: { id } }, options),
  };
}
