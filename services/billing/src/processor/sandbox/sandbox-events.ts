import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database, Queryable } from '@tollgate/database/database';
import { randomBytes } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import type { ProcessorEvents } from '../processor.ts';

interface Row {
  readonly event_id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
}

const pageMax = 1_000;

const listText = `
select event_id, type, created_at, delivered_at from sandbox.event
where created_at >= $1 and created_at < $2 and (created_at, event_id) > ($3, $4)
order by created_at, event_id limit ${pageMax}`;

/** The sandbox keeps every event. An event of the future has not happened yet. */
export function createSandboxEvents({ database, clock }: { database: Database; clock: Clock }): ProcessorEvents {
  return {
    comparableTime: () => ({ sinceMs: 0, untilMs: clock.now() + 1 }), // includes what happened in this millisecond
    lists: () => true,
    async *list({ sinceMs, untilMs }) {
      let last = [toIso(sinceMs), ''];
      for (;;) {
        const rows = await database.query<Row & object>(listText, [toIso(sinceMs), toIso(untilMs), ...last]);
        for (const { event_id: eventId, type, created_at: created, delivered_at: delivered } of rows)
          yield { eventId, type, createdAtMs: wholeSecond(created), isUnsent: delivered === null };
        const end = rows.at(-1);
        if (!end || rows.length < pageMax) return;
        last = [end.created_at.toISOString(), end.event_id];
      }
    },
  };
}

function wholeSecond(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}

export interface SandboxEvent {
  readonly type: string;
  readonly objectId: string;
  /** When it happens. An event in the future is sent at that time. */
  readonly atMs: number;
}

const addText = `insert into sandbox.event (event_id, type, object_id, created_at) values ($1, $2, $3, $4)`;

/** Stores an event in the transaction of its effect, so that every effect has its webhook. */
export async function addSandboxEvent(db: Queryable, { type, objectId, atMs }: SandboxEvent): Promise<void> {
  await db.query(addText, [createSandboxId('evt'), type, objectId, toIso(atMs)]);
}

/** Creates an id such as `acct_sandbox_…`, which cannot be mistaken for a real processor's. */
export function createSandboxId(prefix: string): string {
  return `${prefix}_sandbox_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, '0')}`;
}

/** Returns the row of an object. Throws `not_found` if there is none. */
export function foundRow<Row>(rows: readonly Row[], id: string): Row {
  const [row] = rows;
  if (!row) throw new AppError('not_found', `The processor has no ${id}.`);
  return row;
}
