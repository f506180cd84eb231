import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { every } from '../timing/every.ts';
import { readCertificateEnd } from './read-certificate-end.ts';

export interface CertificateWatchDeps {
  /** The address of PUBLIC_URL. Undefined, or without TLS: there is nothing to watch. */
  readonly publicUrl: string | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log: Logger;
}

export interface CertificateWatch {
  readonly parts: readonly Service[];
  /** Epoch milliseconds. Undefined: there is none, or the address has not answered yet. */
  endsMs(): number | undefined;
}

const everyMs = 3_600_000;

/** Looks when the certificate of PUBLIC_URL ends, as a client sees it, and shows it in the metrics: whoever renews it may have failed. */
export function createCertificateWatch({ publicUrl, metrics, log }: CertificateWatchDeps): CertificateWatch {
  if (publicUrl === undefined || !publicUrl.startsWith('https:')) return { parts: [], endsMs: () => undefined };
  const ends = metrics?.gauge(
    'tollgate_certificate_ends_timestamp_seconds',
    'When the certificate that PUBLIC_URL shows ends.',
  );
  ends?.remove();
  let endsMs: number | undefined;
  const run = async (): Promise<void> => {
    endsMs = await readCertificateEnd(publicUrl);
    ends?.set(endsMs / 1_000);
  };
  return {
    parts: [every({ name: 'certificate-watch', run, everyMs, first: 'at once', log })],
    endsMs: () => endsMs,
  };
}
