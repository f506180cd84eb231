import { AppError } from '@tollgate/kernel/app-error';
import pg from 'pg';
import type { Service } from '../lifecycle/service.ts';
import type { Logger } from '../logging/create-logger.ts';
import { fromPgError } from './pg-error.ts';
import { runTransaction, type TransactionOptions } from './run-transaction.ts';
import { typeParsers } from './type-parsers.ts';

export type Statement = string | { readonly name: string; readonly text: string };

export interface Queryable {
  /** Rows of one statement. Throws AppError `unavailable` when the server cannot be reached or does not answer in time. */
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Proof that a transaction is open: statements that only make sense inside one ask for this type. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable, Service {
  /**
   * Runs `work` in one READ COMMITTED transaction. Deadlocks and serialization failures are tried again, at most three
   * times; so `work` must not have effects outside the database. A lost COMMIT answer throws `unavailable`: the outcome
   * is then unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly maxConnections?: number;
  readonly statementTimeoutMs?: number;
  readonly log: Logger;
}

const connectionWaitMs = 2_000; // a caller that cannot get a connection in this time is told 503 (F40)
const lockTimeoutMs = 2_000;
/** How much longer than the server's own limit the client waits before it gives a silent server up. */
const silenceMs = 2_000;

/** A pool of connections of one role. int8 comes back as bigint, numeric as string, timestamptz as Date. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  return {
    name: options.name,
    async start() {
      await query('select 1');
    },
    async stop() {
      await pool.end();
    },
    async readiness() {
      return query('select 1').then(
        () => ({ [options.name]: 'ok' }),
        () => ({ [options.name]: 'cannot reach PostgreSQL' }),
      );
    },
    query,
    transaction: (work, transactionOptions) => runTransaction(pool, work, transactionOptions),
  };

  async function query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const result = await pool.query<Row>(toQueryConfig(statement, values));
      return result.rows;
    } catch (error) {
      throw fromPgError(error);
    }
  }
}

export function toQueryConfig(statement: Statement, values: readonly unknown[]): pg.QueryConfig {
  return typeof statement === 'string'
    ? { text: statement, values: [...values] }
    : { name: statement.name, text: statement.text, values: [...values] };
}

function createPool({ url, name, maxConnections = 5, statementTimeoutMs = 5_000, log }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: name,
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    query_timeout: statementTimeoutMs + silenceMs,
    types: typeParsers,
  });
  // An idle connection that the server closed: the pool has dropped it already and makes a new one when asked.
  // While the pool ends nothing is lost: a server that stops right after may still be first to close. Of the error only
  // the message is told, for pg hangs the whole client on it.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ database: name, reason: message }, 'lost an idle connection to PostgreSQL');
  });
  return pool;
}

/** For callers that must not go on without a row, such as `returning` of an insert that cannot be skipped. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new AppError('unavailable', 'server_error', 'Something went wrong.', {
      detail: `expected one row, got ${rows.length}`,
    });
  }
  return row;
}
