import type { Journal, JournalEntry } from './journal.ts';
import type { Outcome } from './load-client.ts';
import type { LoadEvent } from './load-event.ts';

export interface Attempt {
  readonly attempt: number;
  readonly event: LoadEvent;
}

/** How many answers of keyed events are kept for comparison. The oracles compare all of them later. */
const answersMax = 100_000;

/** Journals attempts and outcomes, keeps the events to send again, and compares repeated answers. */
export function createOutcomes(journal: Journal) {
  const unknown = new Map<string, LoadEvent[]>();
  const answers = new Map<string, { eventId: string; timestamps: Set<string> }>();
  const open = new Map<string, number>(); // attempts of unknown outcome by ref; an entry of none is removed
  const contradictions: string[] = [];
  let attempts = 0;

  /** The caller waits for it before the request leaves. */
  async function sent(events: readonly LoadEvent[]): Promise<readonly Attempt[]> {
    const made = events.map((event) => ({ event, attempt: (attempts += 1) }));
    for (const { ref } of events) open.set(ref, (open.get(ref) ?? 0) + 1);
    await journal.append(made.map(({ attempt, event }) => ({ kind: 'sent', attempt, event })));
    return made;
  }

  async function known(made: readonly Attempt[], outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length !== made.length) contradictions.push(`${made.length} events sent, ${outcomes.length} results`);
    const entries = made.flatMap((attempt, index) => toEntries(attempt, outcomes[index]));
    await journal.append(entries);
  }

  function toEntries({ attempt, event }: Attempt, outcome: Outcome | undefined): JournalEntry[] {
    switch (outcome?.kind) {
      case 'acknowledged':
        close(event);
        compare(event, outcome);
        return [
          { kind: 'acknowledged', attempt, ref: event.ref, eventId: outcome.eventId, timestamp: outcome.timestamp },
        ];
      case 'refused':
        close(event);
        if (outcome.mayRetry) sendAgain(event);
        else contradictions.push(`${event.ref} was refused: ${outcome.reason}`);
        return [{ kind: 'refused', attempt, ref: event.ref, reason: outcome.reason }];
      case 'unknown':
        if (outcome.reason === '500') contradictions.push(`${event.ref} was answered 500`);
        sendAgain(event);
        return [];
      default:
        return [];
    }
  }

  function close({ ref }: LoadEvent): void {
    const left = (open.get(ref) ?? 0) - 1;
    if (left > 0) open.set(ref, left);
    else open.delete(ref);
  }

  function remember(ref: string, answer: { eventId: string; timestamps: Set<string> }): void {
    answers.set(ref, answer);
    if (answers.size <= answersMax) return;
    const [oldest = ref] = answers.keys();
    answers.delete(oldest);
  }

  /** Keyed events alone: without a key, a second attempt would count as another call. */
  function sendAgain(event: LoadEvent): void {
    if (event.key === undefined) return;
    const waiting = unknown.get(event.consumerId);
    if (waiting) waiting.push(event);
    else unknown.set(event.consumerId, [event]);
  }

  /**
   * All answers of one event must have the same id. A replayed answer must have the time of an earlier answer, unless
   * that answer may have been lost.
   */
  function compare(
    { ref, key }: LoadEvent,
    { eventId, timestamp, isReplay }: Outcome & { kind: 'acknowledged' },
  ): void {
    const known = answers.get(ref);
    if (!known) {
      if (key !== undefined) remember(ref, { eventId, timestamps: new Set([timestamp]) }); // others come once
      return;
    }
    if (known.eventId !== eventId)
      contradictions.push(`${ref} (${key ?? 'no key'}) has the ids ${known.eventId} and ${eventId}`);
    if (isReplay && !known.timestamps.has(timestamp) && !open.has(ref)) {
      contradictions.push(`${ref} was answered again with ${timestamp}, not ${[...known.timestamps].join(' or ')}`);
    }
    known.timestamps.add(timestamp);
  }

  function takeUnknown(consumerId: string, max: number): LoadEvent[] {
    return unknown.get(consumerId)?.splice(0, max) ?? [];
  }

  return { sent, known, takeUnknown, contradictions };
}
