import { AppError } from '@tollgate/kernel/app-error';
import type { Database, Transaction } from '@tollgate/database/database';

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
  return aroundStatements(database, (statement) => {
    before();
    return statement();
  });
}

type Around = <T>(work: () => Promise<T>) => Promise<T>;

/** Each statement, also of transactions, is made by `around`. */
export function aroundStatements(database: Database, around: Around): Database {
  return {
    ...database,
    query: async (statement, values) => around(() => database.query(statement, values)),
    transaction: (work, options) => database.transaction((tx) => work(aroundTransaction(tx, around)), options),
  };
}

function aroundTransaction(tx: Transaction, around: Around): Transaction {
  return { ...tx, query: async (statement, values) => around(() => tx.query(statement, values)) };
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
        if (commits === at) throw new AppError('unavailable', 'no answer');
        return result;
      },
    },
  };
}
