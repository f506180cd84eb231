import type { Database, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';

/** Sends the statements of its transactions by other means. */
export function altered(database: Database, queryOf: (tx: Transaction) => Transaction['query']): Database {
  return {
    ...database,
    transaction: (work, options) => database.transaction((tx) => work({ ...tx, query: queryOf(tx) }), options),
  };
}

/** From the n-th statement on nothing is heard of this process; what it had not committed never was. */
export function dyingDatabase(database: Database, at: number): Database {
  let statements = 0;
  const counted =
    ({ query }: Pick<Transaction, 'query'>): Transaction['query'] =>
    async (statement, values, last) => {
      statements += 1;
      if (statements >= at) throw new AppError('unavailable', 'dead');
      return query(statement, values, last);
    };
  return { ...altered(database, counted), query: counted(database) };
}

/** Each transaction commits, and its process does not hear of it. */
export function unheardDatabase(database: Database): Database {
  return {
    ...database,
    async transaction(work, options) {
      await database.transaction(work, options);
      throw new AppError('unavailable', 'no answer');
    },
  };
}

export interface Pause {
  /** Resolves once the statement is about to be sent. */
  readonly reached: Promise<void>;
  /** Sends it. */
  resume(): void;
}

/** Waits before the first statement of this name until it is resumed: whatever happens meanwhile happens in between. */
export function pausingDatabase(database: Database, name: string): { readonly database: Database } & Pause {
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pausing = altered(database, (tx) => async (statement, values, last) => {
    if (typeof statement !== 'string' && statement.name === name) {
      reached.resolve();
      await resumed.promise;
    }
    return tx.query(statement, values, last);
  });
  return { database: pausing, reached: reached.promise, resume: resumed.resolve };
}

/** Counts the statements of this name that are sent outside transactions. */
export function countingDatabase(
  database: Database,
  name: string,
): { readonly database: Database; readonly count: () => number } {
  let sent = 0;
  const counting: Database = {
    ...database,
    async query(statement, values) {
      if (typeof statement !== 'string' && statement.name === name) sent += 1;
      return database.query(statement, values);
    },
  };
  return { database: counting, count: () => sent };
}
