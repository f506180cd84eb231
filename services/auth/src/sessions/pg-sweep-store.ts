import type { Database } from '@tollgate/database/database';
import type { SweepStore } from './sweep-expired.ts';
import { readChangedSeq } from './sql-read-changed-seq.ts';
import { sweep } from './sql-sweep.ts';

export function createPgSweepStore(worker: Database): SweepStore {
  return { changedSeq: () => readChangedSeq(worker), sweep: (limits) => sweep(worker, limits) };
}
