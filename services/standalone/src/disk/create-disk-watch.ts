import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';
import { noteRoom, readDisk } from './room-file.ts';

export interface DiskWatchDeps {
  readonly dataDir: string;
  readonly metrics: Metrics;
  /** Disks fill by this machine's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

const everyMs = 60_000;

/** Shows in the metrics how much room the disk of the data folder has, and how long it lasts. */
export function createDiskWatch({ dataDir, metrics, clock, log }: DiskWatchDeps): Service {
  const free = metrics.gauge('tollgate_disk_free_bytes', 'Room that is left on the disk of the data folder.');
  const size = metrics.gauge('tollgate_disk_size_bytes', 'Size of the disk of the data folder.');
  const lasts = metrics.gauge(
    'tollgate_disk_full_in_seconds',
    'How long the room lasts at the rate of the last day. Absent while the disk does not fill.',
  );
  async function run(): Promise<void> {
    const disk = readDisk(dataDir, clock);
    noteRoom(dataDir, disk);
    free.set(disk.freeBytes);
    size.set(disk.sizeBytes);
    if (disk.secondsUntilFull === null) lasts.remove();
    else lasts.set(disk.secondsUntilFull);
  }
  return every({ name: 'disk-watch', run, everyMs, first: 'at once', log });
}
