import type { Answered } from '../http/serving/desk.ts';
import type { Metrics } from './create-metrics.ts';

/** One series per operation and status. With a series per path, clients that invent paths would fill the memory. */
export function observeAnswers(metrics: Metrics): (answered: Answered) => void {
  const durations = metrics.histogram(
    'tollgate_http_request_duration_seconds',
    'From the request to the end of its answer.',
    {
      labels: ['operation', 'status'],
    },
  );
  // The library sorts and hashes the labels at each call; there are a few hundred series at most.
  const series = new Map<string, { observe(seconds: number): void }>();
  return function observeAnswer({ route, status, durationMs }) {
    const labels = { operation: route?.operationId ?? 'none', status: String(status) };
    const name = `${labels.operation} ${labels.status}`;
    let durationsOf = series.get(name);
    if (durationsOf === undefined) series.set(name, (durationsOf = durations.labels(labels)));
    durationsOf.observe(durationMs / 1_000);
  };
}
