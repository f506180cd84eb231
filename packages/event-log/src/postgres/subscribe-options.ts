import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { SubscribeOptions } from '../event-log.ts';
import type { Announcements } from './announcements.ts';

export interface PostgresSubscribeOptions extends SubscribeOptions {
  readonly database: Database;
  readonly notifications: Notifications;
  /** The announcements of the appender in this process. */
  readonly announcements: Pick<Announcements, 'onAppended'>;
  readonly partitionsOf: (topic: string) => Promise<number>;
  /** For the connection that holds the leases. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
}
