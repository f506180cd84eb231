import type pg from 'pg';

import { formatMillionths } from '../load/load-event.ts';
import { isPossible, type JournaledEvent } from '../load/read-journal.ts';
import { readCountedEvents, type CountedEvent } from './counted-event.ts';
import { findRollupDrift } from './find-rollup-drift.ts';
import { readLogIds } from './read-log-ids.ts';

/** What faults.md publishes of a run, and what is wrong in words. All right: the last list is empty. */
export interface CountingReport {
  readonly acknowledged: number;
  /** Events that are not acknowledged and may have been recorded all the same. */
  readonly unknown: number;
  readonly counted: number;
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  readonly violations: readonly string[];
}

type Journal = ReadonlyMap<string, JournaledEvent>;

/**
 * The oracles O1 (durable) and O2 (counted once) of a drained database, from the clients' journal: everything that was
 * acknowledged is in the log and counted, once; nothing is counted that nobody sent; the sums are those of the events.
 * The log is that in the database, unless its ids are read elsewhere.
 */
export async function checkCounting(
  client: pg.Client,
  journal: Journal,
  readIds: () => Promise<string[]> = () => readLogIds(client),
): Promise<CountingReport> {
  const events = [...journal.values()];
  const acknowledged = events.filter(({ acknowledgements }) => acknowledgements.length > 0);
  const counted = await readCountedEvents(client);
  const lost = acknowledged.filter(isMissingFrom(counted));
  const doubled = findDoubled(counted);
  const invented = counted.filter((row) => !isExpected(journal, row));
  const drift = await findRollupDrift(client);
  return {
    acknowledged: acknowledged.length,
    unknown: events.filter((event) => isPossible(event) && event.acknowledgements.length === 0).length,
    counted: counted.length,
    lost: lost.length,
    doubled: doubled.length + Math.max(0, drift.surplusCalls),
    invented: invented.length,
    violations: [
      ...lost.map(({ event }) => `lost: ${event.ref} was acknowledged and is not counted`),
      ...doubled.map((what) => `doubled: ${what}`),
      ...invented.map((row) => `invented: ${row.event_id} (${row.ref ?? 'no ref'}) is counted and was not sent`),
      ...counted.flatMap((row) => findDifferences(journal, row)),
      ...drift.violations,
      ...compareWithLog(await readIds(), acknowledged, counted),
    ],
  };
}

function isMissingFrom(counted: readonly CountedEvent[]): (event: JournaledEvent) => boolean {
  const refs = new Set(counted.map(({ ref }) => ref));
  return ({ event }) => !refs.has(event.ref);
}

/** By id and by what the client calls it: a repeat that got another id, or another time, is a second count too. */
function findDoubled(counted: readonly CountedEvent[]): string[] {
  const seen = new Set<string>();
  return counted.flatMap(({ event_id, ref }) => {
    const names = [`id ${event_id}`, `ref ${ref ?? ''}`];
    const again = names.filter((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return again.length > 0 ? [`${again.join(', ')} is counted again`] : [];
  });
}

function isExpected(journal: Journal, { ref }: CountedEvent): boolean {
  const known = journal.get(ref ?? '');
  return known !== undefined && isPossible(known);
}

/** It must be counted as it was sent, under an id and at a time that its client was told. */
function findDifferences(journal: Journal, row: CountedEvent): string[] {
  const known = journal.get(row.ref ?? '');
  if (!known) return [];
  const { event, acknowledgements, unknownAttempts } = known;
  const isTold = (what: 'eventId' | 'timestamp', value: string) =>
    unknownAttempts > 0 || acknowledgements.some((acknowledgement) => acknowledgement[what] === value);
  const facts = {
    consumer: row.consumer_id === event.consumerId,
    tool: row.tool_id === event.toolId,
    success: row.success === event.success,
    duration: row.duration_ms === String(event.durationMs),
    units: row.units === formatMillionths(BigInt(event.unitMillionths)),
    key: row.idempotency_key === (event.key ?? null),
    id: acknowledgements.every(({ eventId }) => eventId === row.event_id) && isTold('eventId', row.event_id),
    time: event.timestamp
      ? row.occurred_at.toISOString() === event.timestamp
      : isTold('timestamp', row.occurred_at.toISOString()),
  };
  const wrong = Object.entries(facts).flatMap(([name, isRight]) => (isRight ? [] : [name]));
  return wrong.length === 0
    ? []
    : [`different: ${JSON.stringify(row)} in ${wrong.join(', ')} from ${JSON.stringify(known)}`];
}

function compareWithLog(
  logIds: readonly string[],
  acknowledged: readonly JournaledEvent[],
  counted: readonly CountedEvent[],
): string[] {
  const logged = new Set(logIds);
  const ids = new Set(counted.map(({ event_id }) => event_id));
  const promised = acknowledged.flatMap(({ acknowledgements }) => acknowledgements.map(({ eventId }) => eventId));
  return [
    ...promised
      .filter((id) => !logged.has(id))
      .map((id) => `not durable: ${id} was acknowledged and is not in the log`),
    ...[...logged].filter((id) => !ids.has(id)).map((id) => `not counted: ${id} is in the log`),
    ...[...ids].filter((id) => !logged.has(id)).map((id) => `from nowhere: ${id} is counted and not in the log`),
  ];
}
