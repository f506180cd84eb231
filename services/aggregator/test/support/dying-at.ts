import type { Database, Queryable } from '@tollgate/database/database';

/**
 * Its n-th statement throws instead of running; a COMMIT counts as a statement, and it throws after it has succeeded. All
 * statements after it throw, too: the process is dead.
 */
export function dyingAt(database: Database, n: number): Database {
  let seen = 0;
  const step = () => {
    seen += 1;
    if (seen >= n) throw new Error('pulled the plug');
  };
  const dying = (db: Queryable): Queryable['query'] => {
    return async (statement, values) => {
      step();
      return db.query(statement, values);
    };
  };
  return {
    ...database,
    query: dying(database),
    async transaction(work, options) {
      const result = await database.transaction((tx) => work({ isTransaction: true, query: dying(tx) }), options);
      step();
      return result;
    },
  };
}
