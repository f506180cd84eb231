import pg from 'pg';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from 'pino';
import { watchConnection } from './watch-connection.ts';

export type NotificationListener = (payload: string) => void;

/**
 * One connection that listens. A notification only saves waiting: PostgreSQL drops those that it sends while nobody
 * listens. So every listener is called once after each reconnect.
 *
 * A connection may be dead without a word. So twice per second it is asked for an answer, which comes after all earlier
 * notifications. While none comes in time, every listener is called, as if it had missed something.
 */
export interface Notifications extends Service {
  /** Says that listeners are called in time whatever happens to the connection: they need not look by themselves. */
  readonly areChecked: true;
  /** `channel` is a plain lower-case name. Call before or after `start`. */
  on(channel: string, listener: NotificationListener): void;
}

/** The same notifications for one of several services that share them: the process runs them, not the service. */
export function sharedNotifications(notifications: Notifications): Notifications {
  return { ...notifications, start: async () => undefined, stop: async () => undefined };
}

const reconnectAfterMs = 250;

export function createNotifications({ url, log }: { url: string; log: Logger }): Notifications {
  const listeners = new Map<string, NotificationListener[]>();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  let isStopped = false;
  let watching = Promise.resolve();
  const listenTo = createListening();

  return {
    name: 'notifications',
    areChecked: true,
    on(channel, listener) {
      const known = listeners.get(channel);
      listeners.set(channel, [...(known ?? []), listener]);
      if (known === undefined && client !== undefined) listenTo(channel, client);
    },
    async start() {
      await connect();
      watching = watchConnection({ connection: () => client, onSilence: callAll, stopped: stopping.signal });
    },
    async stop() {
      isStopped = true;
      stopping.abort();
      clearTimeout(retry);
      await client?.end();
      await watching;
    },
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'notifications',
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
    });
    next.on('notification', ({ channel, payload }) => call(channel, payload ?? ''));
    next.on('error', (error) => log.warn({ err: error }, 'lost the connection that listens to PostgreSQL'));
    next.on('end', () => reconnectLater());
    await next.connect();
    if (isStopped) return next.end();
    client = next;
    for (const channel of listeners.keys()) await next.query(`listen ${channel}`);
  }

  function reconnectLater(): void {
    client = undefined;
    if (isStopped) return;
    clearTimeout(retry);
    retry = setTimeout(() => void reconnect(), reconnectAfterMs);
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
      callAll();
    } catch {
      reconnectLater(); // the server is still away; the loss has been logged
    }
  }

  function callAll(): void {
    for (const channel of listeners.keys()) call(channel, '');
  }

  function call(channel: string, payload: string): void {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  }
}

/** Listens to one channel after the other: services start together, and each has channels of its own. */
function createListening(): (channel: string, client: pg.Client) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (channel, client) => {
    last = last.then(() => client.query(`listen ${channel}`)).catch(() => undefined); // its connection is lost, which is heard
  };
}
