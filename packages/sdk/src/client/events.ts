import { Listing } from './listing.ts';
import type { Query, Schemas } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';
import { withKey } from './with-key.ts';

/** A call of a tool, as its caller reports it. */
export type Event = Schemas['Event'];

/** Events, straight to the service: what the process has not sent when it dies is lost. `Meter` keeps it. */
export function eventsOf(call: Call) {
  return {
    /** Records one event. Without `idempotency_key` a key is made, so that a repeat is counted once. */
    record: (event: Event, options?: CallOptions) =>
      call('recordEvent', { body: withKey(event, options), isKeyedByBody: true }, options),
    /** Records up to 1,000 events. Read `results`: an invalid item is `rejected` without effect on the others. */
    recordBatch: (events: readonly Event[], options?: CallOptions) =>
      call('recordEvents', { body: { events: events.map((event) => withKey(event)) }, isKeyedByBody: true }, options),
    /** Counted events. A recorded event is here a fraction of a second later. */
    list: (query?: Query<'listEvents'>, options?: CallOptions) =>
      new Listing(call, { id: 'listEvents', query, options }, (page) => page.events),
    /** Events that were acknowledged, and refused when they were counted. */
    refused: (query?: Query<'listRefusedEvents'>, options?: CallOptions) =>
      new Listing(call, { id: 'listRefusedEvents', query, options }, (page) => page.events),
    get: (eventId: string, options?: CallOptions) => call('getEvent', { path: { event_id: eventId } }, options),
    /** Follows an event to its invoice and its payout. */
    trace: (eventId: string, options?: CallOptions) => call('traceEvent', { path: { event_id: eventId } }, options),
  };
}
