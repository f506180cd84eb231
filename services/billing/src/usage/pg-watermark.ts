import type { Queryable } from '@tollgate/database/database';
import type { Watermark } from './watermark.ts';
import { readWatermark } from './sql-read-watermark.ts';

export function createPgWatermark(worker: Queryable): Watermark {
  return {
    readMs: () => readWatermark(worker),
    async hurryMs() {
      await worker.query("select pg_notify('event_log', '')"); // what an append rings with; it says only where to look
      return readWatermark(worker);
    },
  };
}
