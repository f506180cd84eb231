import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import { takeOutbox } from './sql-take-outbox.ts';

export interface TakeOutboxDeps {
  readonly worker: Queryable;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Called when there are events to send. */
  readonly onTaken: () => void;
}

const channel = 'outbox_written';
const rowsMax = 500;
/** The net for a notification that was lost. */
const everyMs = 1_000;

/** Takes what the outboxes have as soon as it is committed. */
export function createTakeOutbox({ worker, notifications, realTime, log, onTaken }: TakeOutboxDeps): Repeated {
  async function run(): Promise<void> {
    for (let taken = rowsMax; taken >= rowsMax;) {
      taken = await takeOutbox(worker, { rowsMax, nowMs: realTime.now() });
      if (taken > 0) onTaken();
    }
  }
  const repeated = every({ name: 'take-outbox', run, everyMs, first: 'at once', log });
  notifications.on(channel, repeated.announce);
  return repeated;
}
