import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';
import { readVerifiedBackup, verifiedAgeMaxMs } from './verified-backup.ts';

export interface BackupAgeDeps {
  readonly dataDir: string;
  readonly metrics: Metrics;
  /** Backups are of this machine's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

const everyMs = 60_000;

/** Shows in the metrics and at /readyz of which time the newest verified backup is. Whoever never verified one sees neither. */
export function createBackupAge({ dataDir, metrics, clock, log }: BackupAgeDeps): Service {
  const gauge = metrics.gauge('tollgate_verified_backup_timestamp_seconds', 'Time of the newest verified backup.');
  gauge.remove();
  let endedAtMs: number | undefined;
  async function run(): Promise<void> {
    const newest = readVerifiedBackup(dataDir);
    if (newest === undefined) return;
    endedAtMs = Date.parse(newest.endedAt);
    gauge.set(endedAtMs / 1_000);
  }
  const { start, stop } = every({ name: 'backup-age', run, everyMs, first: 'at once', log });

  function state(): string {
    if (endedAtMs === undefined || clock.now() - endedAtMs <= verifiedAgeMaxMs) return 'ok';
    return `degraded: the newest verified backup is of ${toIso(endedAtMs)}`;
  }
  return { name: 'backups', start, stop, readiness: () => ({ verified: state() }) };
}
