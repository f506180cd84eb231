import type { Queryable } from '@tollgate/database/database';

/** Whether anybody in this database waits for a lock. */
export async function isLockAwaited(db: Queryable): Promise<boolean> {
  const text = `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  return (await db.query(text)).length > 0;
}
