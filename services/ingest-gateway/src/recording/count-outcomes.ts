import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Outcome } from './outcome.ts';

export type CountOutcome = (outcome: Outcome) => void;

/** Events by what became of them. The series are few and looked up once: this runs for each event. */
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
