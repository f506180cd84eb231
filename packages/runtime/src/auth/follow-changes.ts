import type { Logger } from '../logging/create-logger.ts';
import type { Notifications } from '@tollgate/database/notifications';

export interface FollowOptions {
  readonly channel: string;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly log: Logger;
  /** Reads what has changed. Coalesced: see coalesce.ts. */
  refresh(): Promise<void>;
}

export interface Follower {
  /** Resolved: read once. Rejected: it could not be read, nothing runs. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const pollEveryMs = 500;

/** Keeps something in memory close to the database: at each notification, and every half second in case one was lost. */
export function createFollower({ channel, notifications, log, refresh }: FollowOptions): Follower {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isBehind = false;
  let last: Promise<void> = Promise.resolve();

  function follow(): void {
    if (!isRunning) return;
    last = refresh().then(() => told(undefined), told);
  }

  /** Once when it begins to fail and once when it works again: twice a second would bury everything else. */
  function told(error: unknown): void {
    if (error !== undefined && !isBehind)
      log.warn({ channel, err: error }, 'cannot read changes, going on with what is known');
    if (error === undefined && isBehind) log.info({ channel }, 'reads changes again');
    isBehind = error !== undefined;
  }

  function poll(): void {
    timer = setTimeout(() => {
      follow();
      void last.then(() => {
        if (isRunning) poll();
      });
    }, pollEveryMs);
  }

  async function start(): Promise<void> {
    await refresh();
    isRunning = true;
    notifications.on(channel, follow);
    poll();
  }

  async function stop(): Promise<void> {
    isRunning = false;
    clearTimeout(timer);
    await last;
  }

  return { start, stop };
}
