import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
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
