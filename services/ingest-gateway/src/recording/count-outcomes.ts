import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Outcome } from '../submissions/outcome.ts';

export type CountOutcome = (outcome: Outcome) => void;

/** Counts events by outcome. It runs for each event, so it keeps the few series instead of looking them up. */
export function createCountOutcome(metrics: Metrics): CountOutcome {
  const events = metrics.counter('tollgate_gateway_events_total', 'Events by outcome and error code.', [
    'outcome',
    'code',
  ]);
  const series = new Map<string, { inc(): void }>();

  return function countOutcome(outcome) {
    const code = 'error' in outcome ? outcome.error.code : '';
    const name = `${outcome.kind} ${code}`;
    let counter = series.get(name);
    if (counter === undefined) series.set(name, (counter = events.labels({ outcome: outcome.kind, code })));
    counter.inc();
  };
}
