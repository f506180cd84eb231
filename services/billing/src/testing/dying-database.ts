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

export interface UnheardDatabase {
  readonly database: Database;
  /** Whether the commit was reached. */
  readonly isLost: () => boolean;
}

/** The n-th transaction commits, and its process does not hear of it. */
export function unheardDatabase(database: Database, at: number): UnheardDatabase {
  let commits = 0;
  return {
    isLost: () => commits >= at,
    database: {
      ...database,
      async transaction(work, options) {
        const result = await database.transaction(work, options);
        commits += 1;
        if (commits === at) throw new Error('no answer');
        return result;
      },
    },
  };
}
