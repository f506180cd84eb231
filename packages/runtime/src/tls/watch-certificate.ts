import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { every } from '../timing/every.ts';
import { readCertificateEnd } from './read-certificate-end.ts';

export interface CertificateWatchDeps {
  /** The address of PUBLIC_URL. Undefined, or without TLS: there is nothing to watch. */
  readonly publicUrl: string | undefined;
  readonly metrics: Metrics;
  readonly log: Logger;
}

const everyMs = 3_600_000;

/** Shows in the metrics when the certificate of PUBLIC_URL ends, as a client sees it: whoever renews it may have failed. */
export function createCertificateWatch({ publicUrl, metrics, log }: CertificateWatchDeps): readonly Service[] {
  if (publicUrl === undefined || !publicUrl.startsWith('https:')) return [];
  const ends = metrics.gauge(
    'tollgate_certificate_ends_timestamp_seconds',
    'When the certificate that PUBLIC_URL shows ends.',
  );
  ends.remove();
  const run = async (): Promise<void> => ends.set((await readCertificateEnd(publicUrl)) / 1_000);
  return [every({ name: 'certificate-watch', run, everyMs, first: 'at once', log })];
}
