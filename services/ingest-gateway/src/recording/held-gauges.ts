import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';

/** Shows the events under way into the log, by number and by bytes: the queue's depth. */
export function createHeldGauges(metrics: Metrics): (events: number, bytes: number) => void {
  const heldEvents = metrics.gauge('tollgate_gateway_held_events', 'Events under way into the log.');
  const heldBytes = metrics.gauge('tollgate_gateway_held_bytes', 'Bytes of the requests that hold them.');
  return function showHeld(events, bytes) {
    heldEvents.set(events);
    heldBytes.set(bytes);
  };
}
