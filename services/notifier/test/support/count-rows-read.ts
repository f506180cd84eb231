import { onlyRow, type Database } from '@tollgate/database/database';

const text = `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = $1`;

/** The same database, and the number of rows of a table that its latest transaction read. */
export function countRowsRead(database: Database, table: string) {
  let rows = 0;
  const watched: Database = {
    ...database,
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        const done = await work(tx);
        rows = Number(onlyRow(await tx.query<{ rows: bigint }>(text, [table])).rows);
        return done;
      }, options),
  };
  return { watched, rowsRead: () => rows };
}
