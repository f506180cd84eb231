import type { Answered } from './front.ts';
import type { Metrics } from '../metrics/create-metrics.ts';

/** One series an operation and status; paths would make one an attacker's guess. */
export function observeAnswers(metrics: Metrics): (answered: Answered) => void {
  const durations = metrics.histogram('http_request_duration_seconds', 'From the request to the end of its answer.', {
    labels: ['operation', 'status'],
  });
  return function observeAnswer({ route, status, durationMs }) {
    durations.observe({ operation: route?.operationId ?? 'none', status: String(status) }, durationMs / 1_000);
  };
}
