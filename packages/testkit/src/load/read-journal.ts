import { readFileSync } from 'node:fs';

import type { JournalEntry } from './journal.ts';
import type { LoadEvent } from './load-event.ts';

export interface Acknowledgement {
  readonly eventId: string;
  readonly timestamp: string;
}

/** The client's knowledge of one event over all its attempts. */
export interface JournaledEvent {
  readonly event: LoadEvent;
  readonly acknowledgements: readonly Acknowledgement[];
  /** Attempts that ended without an answer that decides their outcome. */
  readonly unknownAttempts: number;
}

/** Reads the journal by `ref`. Half a line of a client that died is left out: its request never left. */
export function readJournal(path: string): ReadonlyMap<string, JournaledEvent> {
  const events = new Map<string, { event: LoadEvent; acknowledgements: Acknowledgement[]; unknownAttempts: number }>();
  for (const entry of readEntries(path)) {
    if (entry.kind === 'sent') {
      const { event } = entry;
      const known = events.get(event.ref) ?? { event, acknowledgements: [], unknownAttempts: 0 };
      known.unknownAttempts += 1;
      events.set(event.ref, known);
      continue;
    }
    const known = events.get(entry.ref);
    if (known === undefined) throw new Error(`${path}: an outcome of ${entry.ref}, which was never sent`);
    known.unknownAttempts -= 1;
    if (entry.kind === 'acknowledged') known.acknowledgements.push(entry);
  }
  return events;
}

/** True if the event can be in the log. */
export function isPossible({ acknowledgements, unknownAttempts }: JournaledEvent): boolean {
  return acknowledgements.length > 0 || unknownAttempts > 0;
}

function readEntries(path: string): JournalEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop(); // empty, or half a line
  return lines.map((line) => JSON.parse(line) as JournalEntry); // written by openJournal
}
