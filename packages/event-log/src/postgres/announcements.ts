import type { Queryable } from '@tollgate/database/database';

/** Tells readers that records were appended. Only a hint: readers look twice per second all the same. */
export interface Announcements {
  /** Called after each durable append. */
  announce(topic: string): void;
  /** Calls the reader of this process for each announcement, until the function that it returns is called. */
  onAppended(topic: string, wake: () => void): () => void;
}

/**
 * The least time between two NOTIFYs. Each wakes a process of the server for every connection that listens to anything:
 * 0.25 ms of CPU, when an append costs 0.64. Readers look again after 40 ms at the earliest.
 */
const restMs = 50;
const notify = {
  name: 'event_log.notify_topics',
  text: `select pg_notify('event_log', topic) from unnest($1::text[]) as t (topic)`,
};

/** Readers of this process are told at once; those of other processes by NOTIFY, at once after a rest, and then together. */
export function createAnnouncements(database: Queryable): Announcements {
  const readers = new Set<(topic: string) => void>();
  const owed = new Set<string>();
  let isResting = false;

  function announce(topic: string): void {
    for (const tell of readers) tell(topic);
    owed.add(topic);
    if (!isResting) notifyOthers();
  }

  function notifyOthers(): void {
    isResting = owed.size > 0;
    if (!isResting) return;
    const topics = [...owed];
    owed.clear();
    database.query(notify, [topics]).catch(() => undefined); // they find the records at their next look
    setTimeout(notifyOthers, restMs).unref();
  }

  return {
    announce,
    onAppended(topic, wake) {
      const tell = (appended: string): void => {
        if (appended === topic) wake();
      };
      readers.add(tell);
      return () => readers.delete(tell);
    },
  };
}
