import type { CallOptions } from './attempt.ts';
import type { Schemas } from './operation-types.ts';
import type { Call } from './request.ts';

/** Pages of the console that you show inside a product of your own. */
export function embedsOf(call: Call) {
  return {
    /** Makes the address of one page, for the `src` of an `<iframe>`. Whoever has it reads that page, for an hour at most. */
    create: (body: Schemas['NewEmbed'], options?: CallOptions) => call('createEmbed', { body }, options),
    /** The origins whose pages may frame embeds. */
    origins: (options?: CallOptions) => call('getEmbedOrigins', {}, options),
    /** Sets all of them. With none, no page frames any. */
    setOrigins: (body: Schemas['EmbedOrigins'], options?: CallOptions) => call('putEmbedOrigins', { body }, options),
  };
}
