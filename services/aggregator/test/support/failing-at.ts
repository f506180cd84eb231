import type { Database, Transaction } from '@tollgate/database/database';

/** Every transaction breaks off: its n-th statement throws instead of running or, where it has fewer, its COMMIT. */
export function failingAt(database: Database, n: number): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        let seen = 0;
        const query: Transaction['query'] = async (statement, values) => {
          seen += 1;
          if (seen === n) throw pulledThePlug();
          return tx.query(statement, values);
        };
        await work({ isTransaction: true, query });
        throw pulledThePlug();
      }, options),
  };
}

function pulledThePlug(): Error {
  return new Error('pulled the plug');
}
