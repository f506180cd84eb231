import type { Database } from '@tollgate/runtime/postgres/database';

/** From the n-th statement on nothing is heard of its process any more, and what that had not committed never was. */
export function dyingDatabase(database: Database, at: number): Database {
  let statements = 0;
  return observedDatabase(database, () => {
    statements += 1;
    if (statements >= at) throw new Error('dead');
  });
}

/** Calls back before each statement. */
export function observedDatabase(database: Database, before: () => void): Database {
  return {
    ...database,
    async query(statement, values) {
      before();
      return database.query(statement, values);
    },
    transaction: (work, options) =>
      database.transaction(
        (tx) =>
          work({
            isTransaction: true,
            async query(statement, values) {
              before();
              return tx.query(statement, values);
            },
          }),
        options,
      ),
  };
}
