import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../../logging/create-logger.ts';
import type { Database } from '../../postgres/database.ts';
import type { Notifications } from '../../postgres/notifications.ts';
import type { SubscribeOptions } from '../event-log.ts';

export interface PostgresSubscribeOptions extends SubscribeOptions {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly partitionsOf: (topic: string) => Promise<number>;
  /** For the connection that holds the leases. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
}
