import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every, type Repeated } from '@tollgate/runtime/timing/every';

export interface TakeOutboxDeps {
  readonly name: string;
  /** Takes so many rows of a source at most, and returns how many it took. */
  readonly take: (slice: { readonly rowsMax: number; readonly nowMs: number }) => Promise<number>;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Called when there is something to send. */
  readonly onTaken: () => void;
}

const channel = 'outbox_written';
const rowsMax = 500;
/** The net for a notification that was lost. */
const everyMs = 1_000;

/** Takes what others have written for the notifier as soon as it is committed. */
export function createTakeOutbox({ name, take, notifications, realTime, log, onTaken }: TakeOutboxDeps): Repeated {
  async function run(): Promise<void> {
    for (let taken = rowsMax; taken >= rowsMax;) {
      taken = await take({ rowsMax, nowMs: realTime.now() });
      if (taken > 0) onTaken();
    }
  }
  const repeated = every({ name, run, everyMs, first: 'at once', log });
  notifications.on(channel, repeated.announce);
  return repeated;
}
