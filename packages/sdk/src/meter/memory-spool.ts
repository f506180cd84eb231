import { SpoolFull } from './spool-error.ts';
import type { Spool } from './spool.ts';
import type { KeyedEvent } from './to-event.ts';

/** Keeps events in memory: they are lost with the process. */
export function createMemorySpool({ maxBytes }: { readonly maxBytes: number }): Spool {
  let events: string[] = [];
  let settled = 0; // so many at the start of `events`: they go together, since a long array is slow to move
  let bytes = 0;

  return {
    append({ json, idempotencyKey }: KeyedEvent) {
      if (bytes + json.length > maxBytes) {
        const message = `${maxBytes} bytes of events wait in memory: Tollgate does not take them fast enough`;
        return Promise.reject(new SpoolFull(message, { code: 'spool_full', idempotencyKey }));
      }
      events.push(json);
      bytes += json.length;
      return Promise.resolve();
    },
    next({ eventsMax, bytesMax }) {
      const batch: string[] = [];
      let batchBytes = 0;
      for (const json of events.slice(settled, settled + eventsMax)) {
        batchBytes += Buffer.byteLength(json);
        if (batchBytes > bytesMax) break;
        batch.push(json);
      }
      if (batch.length === 0) return Promise.resolve(undefined);
      return Promise.resolve({
        events: batch,
        settle(count) {
          for (const json of batch.slice(0, count)) bytes -= json.length;
          settled += count;
          if (settled * 2 >= events.length) [events, settled] = [events.slice(settled), 0];
          return Promise.resolve();
        },
      });
    },
    keepRefused: () => Promise.resolve(), // the callback has them
    belongsTo: () => Promise.resolve(true),
    tend: () => Promise.resolve(),
    figures: () => ({ queued: events.length - settled, bytes, damaged: 0 }),
    flushed: () => Promise.resolve(),
    close: () => Promise.resolve(),
    others: () => Promise.resolve(0),
  };
}
