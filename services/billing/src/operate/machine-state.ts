import { machineBounds } from '@tollgate/contracts/operator/machine-bounds';
import { toIso } from '@tollgate/kernel/clock';

/** The disk of the data folder. */
export interface DiskRoom {
  /** Epoch milliseconds, by the machine's clock. */
  readonly atMs: number;
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** At the rate of the last day. Null: the disk does not fill, or nobody knows yet. */
  readonly secondsUntilFull: number | null;
}

/** Undefined: nobody knows. */
export interface MachineState {
  readonly disk: DiskRoom | undefined;
  readonly certificateEndsMs: number | undefined;
  /** The machine's clock, which no operator moves. */
  readonly nowMs: number;
}

export function toApiMachine({ disk, certificateEndsMs, nowMs }: MachineState) {
  return {
    certificate: certificateEndsMs === undefined ? null : toApiCertificate(certificateEndsMs, nowMs),
    disk: disk === undefined ? null : toApiDisk(disk),
  };
}

function toApiCertificate(endsMs: number, nowMs: number) {
  return { ends_at: toIso(endsMs), ends_soon: endsMs - nowMs < machineBounds.certificateEndsIn * 1_000 };
}

function toApiDisk({ atMs, freeBytes, sizeBytes, secondsUntilFull: seconds }: DiskRoom) {
  return {
    free_bytes: freeBytes,
    size_bytes: sizeBytes,
    full_at: seconds === null ? null : toIso(Math.min(atMs + seconds * 1_000, latestMs)),
    full_soon: seconds !== null && seconds < machineBounds.diskFullIn,
  };
}

/** A disk that fills by a byte a day lasts for longer than times have names. */
const latestMs = Date.UTC(9_999, 11, 31);
