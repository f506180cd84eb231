import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';

const noteText = 'update sandbox.clock set worked_through = greatest(worked_through, $1)';

/** Keeps that all work which was due by this time of the sandbox's clock has been done. */
export async function noteWorkedThrough(db: Queryable, throughMs: number): Promise<void> {
  await db.query({ name: 'billing.note_worked_through', text: noteText }, [toIso(throughMs)]);
}

const readText = 'select worked_through from sandbox.clock';

/** Null before the first move of the clock has done its work. */
export async function readWorkedThrough(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ worked_through: Date | null }>({
    name: 'billing.read_worked_through',
    text: readText,
  });
  return row?.worked_through?.getTime() ?? null;
}
