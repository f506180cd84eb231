import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { AppError } from '@tollgate/kernel/app-error';
import { createTraceStatements, type TraceStatements } from './trace-statements.ts';
import pg from 'pg';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from 'pino';
import { fromPgError, isWeather, isWorthAnotherTry } from './pg-error.ts';
import { leaveSilentConnections } from './silent-connections.ts';
import { typeParsers } from './type-parsers.ts';

export type Statement =
  | string
  | {
      readonly name: string;
      readonly text: string;
      /** The statement is not prepared: each time the server makes a plan that fits the tables as they are. */
      readonly isPlannedAnew?: true;
    };

export interface Queryable {
  /** Rows of one statement. Throws AppError `unavailable` when the server cannot be reached or does not answer in time. */
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Proves that a transaction is open: statements that need one have a parameter of this type. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
  /** As `Queryable`. `last`: no statement follows, so COMMIT is sent along with this one. */
  query<Row extends object>(statement: Statement, values?: readonly unknown[], last?: 'last'): Promise<Row[]>;
}

export interface TransactionOptions {
  /** The account whose rows the row-level policies show. Without it, `_api` roles see nothing. */
  readonly accountId?: string;
  /** `snapshot`: all statements see the database as of one moment, and none may write. Default: read committed. */
  readonly isolation?: 'snapshot';
  /** The first statement changes nothing: it is sent along with BEGIN, and does no harm should that one fail. */
  readonly startsWithRead?: boolean;
}

export interface Database extends Queryable, Service {
  /**
   * Runs `work` in one transaction, READ COMMITTED unless the options ask for a snapshot. After a deadlock or serialization
   * failure it runs `work` again, three times in all. So `work` must not have effects outside the database. If the answer
   * to COMMIT is lost, it throws `unavailable`, and the outcome is unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly maxConnections?: number;
  /**
   * Opens all connections at the start and keeps them, so that we go on when others have taken the server's last
   * connection.
   */
  readonly holdsConnections?: boolean;
  readonly statementTimeoutMs?: number;
  /** Statements of a transaction that do not wait for each other share a round trip. */
  readonly isPipelined?: true;
  /** Whether a stop waits for running statements or cancels them. Default: it waits. */
  readonly whenStopped?: 'wait' | 'cancel';
  readonly log: Logger;
}

const connectionWaitMs = 2_000; // a caller without a connection after this time gets 503 (F40)
const lockTimeoutMs = 2_000;
const attemptsMax = 3;
const backOffBounds = { firstMs: 40, maxMs: 80 };
const actForAccount = { name: 'act_for_account', text: "select set_config('tollgate.account_id', $1, true)" };
/** The outboxes keep it, so that a webhook belongs to the trace that caused it. */
const actInTrace = { name: 'act_in_trace', text: "select set_config('tollgate.traceparent', $1, true)" };
/** How much longer than the server's own limit the client waits before it gives up a silent server. */
const silenceMs = 2_000;

/** A pool of connections of one role. int8 comes back as bigint, numeric as string, timestamptz as Date. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const traceStatements = createTraceStatements();
  const running = options.whenStopped === 'cancel' ? trackRunning(pool) : undefined;
  return {
    name: options.name,
    async start() {
      await query('select 1').catch((error: unknown) => {
        if (!isLate(error)) throw error;
        return query('select 1'); // when a service starts, many pools open at once, and the server was too busy for this one
      });
      if (options.holdsConnections === true) await openAll(pool);
    },
    async stop() {
      await (running ? endAtOnce(pool, running, options) : pool.end());
    },
    readiness: () => ({
      [options.name]: query('select 1').then(
        () => 'ok',
        () => 'cannot reach PostgreSQL',
      ),
    }),
    query,
    transaction: (work, transactionOptions) =>
      runTransaction(pool, work, {
        ...transactionOptions,
        isPipelined: options.isPipelined ?? false,
        traceStatements,
        traceparent: transactionOptions?.isolation === undefined ? traceStatements?.traceparent() : undefined,
      }),
  };

  async function query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const ask = () => pool.query<Row>(toQueryConfig(statement, values));
      const result = await (traceStatements === undefined ? ask() : traceStatements.run(statement, ask));
      return result.rows;
    } catch (error) {
      throw fromPgError(error);
    }
  }
}

function createPool(options: DatabaseOptions): pg.Pool {
  const { url, name, maxConnections = 5, holdsConnections = false, statementTimeoutMs = 5_000, log } = options;
  const isPipelined = options.isPipelined ?? false;
  const config = {
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
    pipeline: isPipelined, // the types of pg lack it
  };
  const pool = new pg.Pool(config);
  // The server closed an idle connection. The pool has dropped it and opens a new one when needed. While the pool ends,
  // this is no loss: a server that stops soon after may close first. Only the message is logged: pg attaches the client.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ database: name, reason: message }, 'lost an idle connection to PostgreSQL');
  });
  leaveSilentConnections(pool);
  return pool;
}

/** A connection that fails now is opened later, when it is needed. */
async function openAll(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()));
  for (const each of opened) if (each.status === 'fulfilled') each.value.release();
}

/** The connections in use. */
function trackRunning(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const running = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => running.add(client));
  pool.on('release', (_error, client) => running.delete(client));
  return running;
}

const cancelEveryMs = 100;

/** Cancels running statements repeatedly: in a transaction one statement follows another. */
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

/** The process id of the server's side; pg has it, but not in its types. */
function processIdOf(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

interface AttemptOptions extends TransactionOptions {
  readonly isPipelined: boolean;
  readonly traceStatements: TraceStatements | undefined;
  /** The span to which the transaction belongs. Undefined: nobody follows its trace, or it writes nothing. */
  readonly traceparent: string | undefined;
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  options: AttemptOptions,
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

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { accountId, isolation, startsWithRead, isPipelined, traceStatements, traceparent }: AttemptOptions,
): Promise<T> {
  const client = await pool.connect();
  // The pool listens only to idle connections. Without a listener, the loss of a connection in use would end the process.
  // The next statement on it fails as `unavailable`.
  client.on('error', ignoreLoss);
  let broken: Error | boolean = false;
  try {
    const begun = client.query(isolation === 'snapshot' ? 'begin isolation level repeatable read read only' : 'begin');
    if (startsWithRead === true && isPipelined) begun.catch(ignoreLoss);
    else await begun;
    const acting = actFor(client, { accountId, traceparent });
    if (acting !== undefined) await acting;
    const { tx, commit } = toTransaction(client, { begun, isPipelined, traceStatements });
    const result = await work(tx);
    // If a statement had failed, PostgreSQL answers COMMIT without an error, but with the command ROLLBACK.
    const { command } = await commit();
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

/** Both are local to the transaction: a connection never carries an account over to its next user (F75). */
function actFor(
  client: pg.PoolClient,
  { accountId, traceparent }: { readonly [Name in 'accountId' | 'traceparent']: string | undefined },
): Promise<unknown> | undefined {
  const named = accountId === undefined ? undefined : client.query({ ...actForAccount, values: [accountId] });
  if (traceparent === undefined) return named;
  const trace = () => client.query({ ...actInTrace, values: [traceparent] });
  return named === undefined ? trace() : named.then(trace);
}

function ignoreLoss(): void {
  // the waiting statement, or the next statement, or whoever waits for this one, fails and reports it
}

interface Begun extends Pick<AttemptOptions, 'isPipelined' | 'traceStatements'> {
  readonly begun: Promise<unknown>;
}

function toTransaction(client: pg.PoolClient, { begun, isPipelined, traceStatements }: Begun) {
  let committed: Promise<pg.QueryResult> | undefined;
  const commit = () => (committed ??= client.query('commit'));
  const tx: Transaction = {
    isTransaction: true,
    async query<Row extends object>(statement: Statement, values: readonly unknown[] = [], last?: 'last') {
      const ask = () => client.query<Row>(toQueryConfig(statement, values));
      const answered = traceStatements === undefined ? ask() : traceStatements.run(statement, ask);
      if (last !== undefined && isPipelined) commit().catch(ignoreLoss);
      const [{ rows }] = await Promise.all([answered, begun]);
      return rows;
    },
  };
  return { tx, commit };
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
    : { ...(statement.isPlannedAnew ? {} : { name: statement.name }), text: statement.text, values: [...values] };
}

/**
 * The row of a query that always has exactly one, such as `returning` of an insert of one row. Throws for any other
 * number.
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new Error(`expected one row, got ${rows.length}`);
  }
  return row;
}
