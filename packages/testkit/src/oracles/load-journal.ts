import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type pg from 'pg';

import type { JournalEntry } from '../load/journal.ts';
import { formatMillionths } from '../load/load-event.ts';
import { createRows } from './create-rows.ts';

const tables = `
  create schema if not exists oracle;
  drop table if exists oracle.sent, oracle.outcome;
  create unlogged table oracle.sent (ref text, consumer_id uuid, tool_id text, key text, success boolean, duration_ms bigint,
    units text, occurred_at timestamptz);
  create unlogged table oracle.outcome (ref text, is_acknowledged boolean, event_id uuid, occurred_at timestamptz)`;
const insertSent = `insert into oracle.sent
  select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::bigint[], $7::text[], $8::timestamptz[])`;
const insertOutcomes = `insert into oracle.outcome
  select * from unnest($1::text[], $2::boolean[], $3::uuid[], $4::timestamptz[])`;

/** Writes each attempt and each outcome as a row; they may be more than memory holds. */
export async function loadJournal(client: pg.Client, path: string): Promise<void> {
  await client.query(tables);
  const sent = createRows(client, insertSent);
  const outcomes = createRows(client, insertOutcomes);
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const entry = parse(line);
    if (entry?.kind === 'sent') await sent.add(sentRow(entry));
    else if (entry !== undefined) await outcomes.add(outcomeRow(entry));
  }
  await sent.flush();
  await outcomes.flush();
}

/** Leaves out half a line of a client that died while it wrote: its request never left. */
function parse(line: string): JournalEntry | undefined {
  return line.endsWith('}') ? (JSON.parse(line) as JournalEntry) : undefined; // written by openJournal
}

function sentRow({ event }: JournalEntry & { kind: 'sent' }): unknown[] {
  const { ref, consumerId, toolId, key, success, durationMs, unitMillionths, timestamp } = event;
  const units = formatMillionths(BigInt(unitMillionths));
  return [ref, consumerId, toolId, key ?? null, success, durationMs, units, timestamp ?? null];
}

function outcomeRow(entry: JournalEntry & { kind: 'acknowledged' | 'refused' }): unknown[] {
  if (entry.kind === 'refused') return [entry.ref, false, null, null];
  return [entry.ref, true, entry.eventId, entry.timestamp];
}
