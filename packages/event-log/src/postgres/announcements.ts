import type { Queryable } from '@tollgate/database/database';
import type { AppendedRun } from './tail.ts';

type OnAppended = (runs: readonly AppendedRun[]) => void;

/** Tells readers that records were appended. Only a hint: readers look twice per second all the same. */
export interface Announcements {
  /** Called after each durable append. */
  announce(topic: string, runs: readonly AppendedRun[]): void;
  /** Tells a reader of this process what each append of this process appended, until the function that it returns is called. */
  onAppended(topic: string, tell: OnAppended): () => void;
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

/** Readers of this process are notified at once; those of other processes by NOTIFY, at once after a rest, and then together. */
export function createAnnouncements(database: Queryable): Announcements {
  const readers = new Set<Announcements['announce']>();
  const owed = new Set<string>();
  let isResting = false;

  function announce(topic: string, runs: readonly AppendedRun[]): void {
    for (const tell of readers) tell(topic, runs);
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
    onAppended(topic, tell) {
      const tellOfTopic = (appendedTo: string, runs: readonly AppendedRun[]): void => {
        if (appendedTo === topic) tell(runs);
      };
      readers.add(tellOfTopic);
      return () => readers.delete(tellOfTopic);
    },
  };
}
