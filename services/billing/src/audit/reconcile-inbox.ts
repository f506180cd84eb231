import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import type { Database } from '@tollgate/database/database';
import {
  CallRefused,
  isUnanswered,
  type Processor,
  type ProcessorEvent,
  type TimeWindow,
} from '../processor/processor.ts';
import type { TimedNotice } from '../processor/webhook-ports.ts';
import { movementWindow } from './compare-movement.ts';
import { differingRows, type ReconcileStep } from './reconciliation.ts';
import { findReceived, readInbox } from './sql-read-inbox.ts';

export interface ReconcileInboxDeps {
  readonly database: Database;
  readonly processor: Processor;
  readonly eventsMax?: number;
}

/**
 * Compares the webhooks in the inbox with the processor's own list of events, of the period and the month after it. It names each
 * event that never arrived or was taken out, and each webhook of an event that the processor does not have. It begins with the
 * newest day, and ends after `eventsMax` events. A list of Stripe has 100 a page, so these are 1,000 calls. Where a span has
 * few events, the next one is twice as long: Stripe is asked six times for a quiet month.
 */
export async function reconcileInbox(
  { database, processor, eventsMax = 100_000 }: ReconcileInboxDeps,
  period: string,
): Promise<ReconcileStep> {
  const whole = movementWindow(period);
  const comparable = processor.events.comparableTime();
  const window = {
    sinceMs: Math.max(whole.sinceMs, comparable.sinceMs),
    untilMs: Math.min(whole.untilMs, comparable.untilMs),
  };
  const sums: Sums = { ours: 0, theirs: 0, unsent: 0, rows: [], comparedSinceMs: window.untilMs };
  try {
    let days = 1;
    while (sums.comparedSinceMs > window.sinceMs && Math.max(sums.theirs, sums.ours) < eventsMax) {
      const span = spanBefore(sums.comparedSinceMs, days, window.sinceMs);
      const events = await compareSpan({ database, processor }, span, sums);
      sums.comparedSinceMs = span.sinceMs;
      days = events > fewEvents ? 1 : Math.min(days * 2, daysMax);
    }
  } catch (error) {
    return toStep(processor, sums, notCompared(processor, error));
  }
  return toStep(processor, sums, noteOf({ processor, sums, whole, window }));
}

interface Sums {
  ours: number;
  theirs: number;
  /** Events whose webhooks are not sent yet, and so not here. */
  unsent: number;
  readonly rows: string[];
  comparedSinceMs: number;
}

const fewEvents = 1_000;
const daysMax = 8; // a span of many events lies in memory

/**
 * Our side is read first. So an event that was made meanwhile is on the processor's side alone, and a second look at the inbox
 * finds its webhook. Returns how many events there were.
 */
async function compareSpan(
  { database, processor }: Pick<ReconcileInboxDeps, 'database' | 'processor'>,
  span: TimeWindow,
  sums: Sums,
): Promise<number> {
  const { name, events } = processor;
  const ours = new Map<string, TimedNotice>();
  for await (const notice of readInbox(database, { ...span, processor: name })) ours.set(notice.eventId, notice);
  const theirs = new Map<string, ProcessorEvent>();
  for await (const event of events.list(span)) theirs.set(event.eventId, event);
  const absent = [...theirs.keys()].filter((eventId) => !ours.has(eventId));
  const received = absent.length === 0 ? noneReceived : await findReceived(database, name, absent);
  const missing = [...theirs.values()].filter(({ eventId }) => !ours.has(eventId) && !received.has(eventId));
  const listed = [...ours.values()].filter((notice) => events.lists(notice));
  const unsent = missing.filter(({ isUnsent }) => isUnsent).length;
  sums.ours += listed.length + received.size;
  sums.theirs += theirs.size - unsent;
  sums.unsent += unsent;
  sums.rows.push(
    ...missing
      .filter(({ isUnsent }) => !isUnsent)
      .map((event) => `${nameEvent(event)}: its webhook is not in our inbox`),
    ...listed
      .filter(({ eventId }) => !theirs.has(eventId))
      .map((notice) => `${nameEvent(notice)}: it is in our inbox, and the processor has none`),
  );
  return Math.max(theirs.size, ours.size);
}

const noneReceived: ReadonlySet<string> = new Set();

function nameEvent({ eventId, type, createdAtMs }: Pick<ProcessorEvent, 'eventId' | 'type' | 'createdAtMs'>): string {
  return `event ${eventId} (${type}) of ${toIso(createdAtMs)}`;
}

/** Whole days in UTC, but for the newest and the oldest one. */
function spanBefore(untilMs: number, days: number, earliestMs: number): TimeWindow {
  const dayBegan = Math.floor((untilMs - 1) / dayMs) * dayMs;
  return { sinceMs: Math.max(earliestMs, dayBegan - (days - 1) * dayMs), untilMs };
}

function toStep({ name }: Processor, { ours, theirs, rows }: Sums, note: string | null): ReconcileStep {
  return {
    name: 'inbox_events',
    unit: 'events',
    left: { what: 'webhooks in our inbox', count: BigInt(ours), sum: String(ours) },
    right: { what: `events at ${name} that they tell of`, count: BigInt(theirs), sum: String(theirs) },
    ...differingRows(rows),
    note,
  };
}

interface Noted {
  readonly processor: Processor;
  readonly sums: Sums;
  readonly whole: TimeWindow;
  readonly window: TimeWindow;
}

function noteOf({ processor: { name }, sums, whole, window }: Noted): string | null {
  const notes = [
    ...(window.sinceMs > whole.sinceMs
      ? [`${name} keeps events for 30 days, so those of before ${toIso(window.sinceMs)} were not compared.`]
      : []),
    ...(sums.comparedSinceMs > window.sinceMs && window.untilMs > window.sinceMs
      ? [`There are too many events, so those of before ${toIso(sums.comparedSinceMs)} were not compared.`]
      : []),
    ...(sums.unsent > 0 ? [`The webhooks of ${sums.unsent} events are not sent yet.`] : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}

/** Such as a restricted key without the right to read events. Whatever differs on the days before is named. */
function notCompared({ name }: Processor, error: unknown): string {
  if (!(error instanceof AppError) || !(isUnanswered(error) || error instanceof CallRefused)) throw error;
  return `The inbox could not be compared with the events at ${name}: ${error.message}`;
}
