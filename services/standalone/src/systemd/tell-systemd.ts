import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '@tollgate/runtime/config/load-config';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

/** The state that systemd hears from a unit with `Type=notify`. */
export type SystemdState = 'READY=1' | 'STOPPING=1';

/**
 * Tells systemd the state, if it started this process. Node has no datagram sockets of the file system, so systemd's own
 * program does it. Never rejects: a service that nobody hears about still serves.
 */
export async function tellSystemd(
  state: SystemdState,
  { environment, log }: { readonly environment: Environment; readonly log: Pick<Logger, 'warn'> },
): Promise<void> {
  if (environment['NOTIFY_SOCKET'] === undefined) return;
  const { NOTIFY_SOCKET, PATH } = environment;
  const child = spawn('systemd-notify', [state], { stdio: 'ignore', env: { NOTIFY_SOCKET, PATH } });
  try {
    const [code] = (await once(child, 'exit')) as [number | null]; // rejects if it cannot be started
    if (code !== 0) log.warn({ state, code }, 'systemd-notify failed, and systemd does not know this state');
  } catch (error) {
    log.warn({ state, err: error }, 'systemd-notify cannot be run, and systemd does not know this state');
  }
}
