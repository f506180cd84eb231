import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

/** Passes: keys to hand out, each for some tools. */
export function passesOf(call: Call) {
  return {
    /** Creates a pass. The answer alone has its key, in `key`. */
    create: (body: Schemas['NewPass'], options?: CallOptions) => call('createPass', { body }, options),
    list: (query?: Query<'listPasses'>, options?: CallOptions) =>
      new Listing(call, { id: 'listPasses', query, options }, (page) => page.passes),
    get: (id: string, options?: CallOptions) => call('getPass', { path: { id } }, options),
    /** The pass itself: use `tollgate.with({ apiKey: pass })`. */
    self: (options?: CallOptions) => call('getOwnPass', {}, options),
    /** A child of the pass itself, which spends a part of its budget. The answer alone has its key, in `key`. */
    createChild: (body: Schemas['NewChildPass'], options?: CallOptions) => call('createChildPass', { body }, options),
    /** The children of the pass itself. */
    children: (query?: Query<'listChildPasses'>, options?: CallOptions) =>
      new Listing(call, { id: 'listChildPasses', query, options }, (page) => page.passes),
    /** Whether what a caller of your server sent is a live pass, or an OAuth token of one for your server. */
    check: (body: Schemas['PassCheck'], options?: CallOptions) => call('checkPass', { body }, options),
    /** Changes the fields that you send; `paused` stops and resumes it. */
    update: (id: string, body: Schemas['PassUpdate'], options?: CallOptions) =>
      call('updatePass', { path: { id }, body }, options),
    /** Gives it a new key, in `key`. The earlier one works for `grace_seconds` more. */
    rotate: (id: string, body: Schemas['PassRotation'] = {}, options?: CallOptions) =>
      call('rotatePass', { path: { id }, body }, options),
    /** Revokes it: every gateway refuses it within a second. */
    delete: (id: string, options?: CallOptions) => call('deletePass', { path: { id } }, options),
  };
}
