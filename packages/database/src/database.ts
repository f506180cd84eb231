import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { AppError } from '@tollgate/kernel/app-error';
import pg from 'pg';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from 'pino';
import { fromPgError, isWeather, sqlState, sqlStateOf } from './pg-error.ts';
import { leaveSilentConnections } from './silent-connections.ts';
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

export interface TransactionOptions {
  /** The account that row-level policies let through; unset, `_api` roles see nothing. */
  readonly accountId?: string;
  /** `snapshot`: all statements see the database as of one moment, and none may write. Default: read committed. */
  readonly isolation?: 'snapshot';
}

export interface Database extends Queryable, Service {
  /**
   * Runs `work` in one transaction, READ COMMITTED unless it asks for a snapshot. Deadlocks and serialization failures
   * are tried again, at most three times; so `work` must not have effects outside the database. A lost COMMIT answer
   * throws `unavailable`: the outcome is then unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly maxConnections?: number;
  /** All of them are opened at the start and kept, used or not: whoever takes the server's last one does not stop us. */
  readonly holdsConnections?: boolean;
  readonly statementTimeoutMs?: number;
  /** What becomes of the statements that run when it is stopped. Default: they are waited for. */
  readonly whenStopped?: 'wait' | 'cancel';
  readonly log: Logger;
}

const connectionWaitMs = 2_000; // a caller that cannot get a connection in this time is told 503 (F40)
const lockTimeoutMs = 2_000;
const attemptsMax = 3;
const backOffBounds = { firstMs: 40, maxMs: 80 };
/** How much longer than the server's own limit the client waits before it gives a silent server up. */
const silenceMs = 2_000;

/** A pool of connections of one role. int8 comes back as bigint, numeric as string, timestamptz as Date. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const running = options.whenStopped === 'cancel' ? trackRunning(pool) : undefined;
  return {
    name: options.name,
    async start() {
      await query('select 1').catch((error: unknown) => {
        if (!isLate(error)) throw error;
        return query('select 1'); // many pools open at once when a service starts, and the server was too busy for this one
      });
      if (options.holdsConnections === true) await openAll(pool);
    },
    async stop() {
      await (running ? endAtOnce(pool, running, options) : pool.end());
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

function createPool(options: DatabaseOptions): pg.Pool {
  const { url, name, maxConnections = 5, holdsConnections = false, statementTimeoutMs = 5_000, log } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    min: holdsConnections ? maxConnections : 0,
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
  leaveSilentConnections(pool);
  return pool;
}

/** One that cannot be had now is opened when it is needed, as ever. */
async function openAll(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}

/** Those of its connections that somebody uses. */
function trackRunning(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const running = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => running.add(client));
  pool.on('release', (_error, client) => running.delete(client));
  return running;
}

const cancelEveryMs = 100;

/** Cancels what runs, again and again: in a transaction one statement follows another. */
async function endAtOnce(pool: pg.Pool, running: ReadonlySet<pg.PoolClient>, { url }: DatabaseOptions): Promise<void> {
  const ended = pool.end();
  if (running.size > 0) {
    const canceller = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectionWaitMs });
    await canceller.connect();
    for (; running.size > 0; await wait(cancelEveryMs))
      for (const client of running) await canceller.query('select pg_cancel_backend($1)', [processIdOf(client)]);
    await canceller.end();
  }
  await ended;
}

/** Of the server's process; pg knows it, and its types do not. */
function processIdOf(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work, options);
    } catch (error) {
      if (attempt >= attemptsMax || !isWorthAnotherTry(error)) throw fromPgError(error);
      await wait(backOffMs(attempt, backOffBounds));
    }
  }
}

function isLate(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof Error && /timeout/i.test(error.cause.message);
}

function isWorthAnotherTry(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === sqlState.deadlockDetected || state === sqlState.serializationFailure;
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { accountId, isolation }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  // The pool listens to idle connections only. Unheard, the loss of one in use ends the process; the next statement on
  // it is refused anyway, and that is weather.
  client.on('error', ignoreLoss);
  let broken: Error | boolean = false;
  try {
    await client.query(isolation === 'snapshot' ? 'begin isolation level repeatable read read only' : 'begin');
    // Local to the transaction: a connection never carries an account over to its next user (F75).
    if (accountId !== undefined) await client.query("select set_config('tollgate.account_id', $1, true)", [accountId]);
    const result = await work(toTransaction(client));
    // PostgreSQL answers the COMMIT of a transaction with a failed statement without an error: ROLLBACK, it says.
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('a statement failed, and the transaction was rolled back');
    return result;
  } catch (error) {
    broken = error instanceof Error && isWeather(error) ? error : !(await rollBack(client));
    throw error;
  } finally {
    client.off('error', ignoreLoss);
    client.release(broken);
  }
}

function ignoreLoss(): void {
  // the statement that waits for an answer, or the next one, is told
}

function toTransaction(client: pg.PoolClient): Transaction {
  return {
    isTransaction: true,
    async query<Row extends object>(statement: Parameters<Transaction['query']>[0], values: readonly unknown[] = []) {
      return (await client.query<Row>(toQueryConfig(statement, values))).rows;
    },
  };
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

function toQueryConfig(statement: Statement, values: readonly unknown[]): pg.QueryConfig {
  return typeof statement === 'string'
    ? { text: statement, values: [...values] }
    : { name: statement.name, text: statement.text, values: [...values] };
}

/** For callers that must not go on without a row, such as `returning` of an insert that cannot be skipped. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new Error(`expected one row, got ${rows.length}`);
  }
  return row;
}
