import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

export function toolsOf(call: Call) {
  return {
    /** Registers a tool. Events for it are accepted at once. */
    create: (body: Schemas['NewTool'], options?: CallOptions) => call('createTool', { body }, options),
    /** Your tools; with `owner: 'all'` those of everybody. */
    list: (query?: Query<'listTools'>, options?: CallOptions) =>
      new Listing(call, { id: 'listTools', query, options }, (page) => page.tools),
    get: (slug: string, options?: CallOptions) => call('getTool', { path: { slug } }, options),
    update: (slug: string, body: Schemas['ToolUpdate'], options?: CallOptions) =>
      call('updateTool', { path: { slug }, body }, options),
    /** Ends a tool for good: events for it are then refused. */
    archive: (slug: string, options?: CallOptions) => call('archiveTool', { path: { slug } }, options),
    /** Adds a price from a full hour on that is at least an hour away. */
    createPrice: (slug: string, body: Schemas['NewPriceVersion'], options?: CallOptions) =>
      call('createPriceVersion', { path: { slug }, body }, options),
    /** Computes what a price comes to, exactly as an invoice would. Needs no account. */
    previewPrice: (body: Schemas['NewPricePreview'], options?: CallOptions) => call('previewPrice', { body }, options),
    prices: (slug: string, query?: Query<'listPriceVersions'>, options?: CallOptions) =>
      new Listing(call, { id: 'listPriceVersions', path: { slug }, query, options }, (page) => page.prices),
  };
}
