import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import { createSandboxClock } from './create-sandbox-clock.ts';
import type { SandboxClock } from './sandbox-clock.ts';

export interface ProcessClockSettings {
  readonly SANDBOX_CLOCK: 'on' | 'off';
  readonly SANDBOX_CLOCK_START?: number | undefined;
  readonly DATABASE_WORKER_URL: string;
}

export interface ProcessClock {
  readonly clock: Clock;
  readonly sandboxClock?: SandboxClock;
  /** Start them before any service that uses the clock. */
  readonly services: readonly Service[];
}

/** The clock of a service that is a process of its own: the machine's, or the sandbox's, which all services share. */
export function createProcessClock(
  settings: ProcessClockSettings,
  { part, log }: { part: 'mover' | 'follower'; log: Logger },
): ProcessClock {
  if (settings.SANDBOX_CLOCK === 'off') return { clock: systemClock, services: [] };
  const { DATABASE_WORKER_URL: url, SANDBOX_CLOCK_START: startMs } = settings;
  const sandboxClock = createSandboxClock({ url, part, startMs, log });
  return { clock: sandboxClock, sandboxClock, services: [sandboxClock] };
}
