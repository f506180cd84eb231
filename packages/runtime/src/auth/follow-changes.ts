import { systemClock, toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';
import type { Notifications } from '@tollgate/database/notifications';

/** Where changes are announced. Only a source that says so notices by itself when announcements are lost. */
export type News = Pick<Notifications, 'on'> & Partial<Pick<Notifications, 'areChecked'>>;

export interface FollowOptions {
  readonly channel: string;
  readonly notifications: News;
  readonly log: Logger;
  /** The time that `state` tells. Default: the clock of the machine, as in the log. */
  readonly realTime?: Pick<Clock, 'now'> | undefined;
  /** Reads the changes. The caller coalesces the runs: see coalesce.ts. */
  refresh(): Promise<void>;
}

export interface Follower {
  /** Reads once, then follows. Rejects, and follows nothing, when that read fails. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The check of what is followed, for `readiness`. While it cannot be read, all goes on with what is known. */
  state(): string;
}

const pollEveryMs = 500;
/** Five followers that each looked twice per second were most of what an idle gateway did. */
const pollCheckedEveryMs = 5_000;

/**
 * Keeps a copy in memory close to the database: reads at each notification. In case a notification was lost, it also
 * looks every half second, unless the source itself notices that; then every five seconds. A failed read is tried again
 * after half a second.
 */
export function createFollower(options: FollowOptions): Follower {
  const { channel, notifications, log, refresh, realTime = systemClock } = options;
  let isBehind = false;
  let readAtMs: number | undefined;
  const following = every({
    name: channel,
    everyMs: () => (isBehind || notifications.areChecked !== true ? pollEveryMs : pollCheckedEveryMs),
    log,
    run: () => read().catch(noteOutcome),
  });

  async function read(): Promise<void> {
    const beganMs = realTime.now();
    await refresh();
    readAtMs = beganMs;
    noteOutcome(undefined);
  }

  /** Logs once when it begins to fail and once when it works again: twice a second would bury everything else. */
  function noteOutcome(error: unknown): void {
    if (error !== undefined && !isBehind)
      log.warn({ channel, err: error }, 'cannot read changes of credentials; going on with those known so far');
    if (error === undefined && isBehind) log.info({ channel }, 'reads changes again');
    isBehind = error !== undefined;
  }

  async function start(): Promise<void> {
    await read();
    notifications.on(channel, following.announce);
    await following.start();
  }

  function state(): string {
    if (readAtMs === undefined) return 'not read yet';
    return isBehind ? `degraded: not read since ${toIso(readAtMs)}, going on with what was known then` : 'ok';
  }

  return { start, stop: following.stop, state };
}
