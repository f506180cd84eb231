import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { toQueryConfig, type Transaction } from './database.ts';
import { fromPgError, isWeather, sqlState, sqlStateOf } from './pg-error.ts';

export interface TransactionOptions {
  /** The account that row-level policies let through; unset, `_api` roles see nothing. */
  readonly accountId?: string;
}

const attemptsMax = 3;

export async function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, work, options);
    } catch (error) {
      if (attempt >= attemptsMax || !isWorthAnotherTry(error)) throw fromPgError(error);
      await wait(Math.random() * 20 * 2 ** attempt);
    }
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === sqlState.deadlockDetected || state === sqlState.serializationFailure;
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<T>,
  { accountId }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query('begin');
    // Local to the transaction: a connection never carries an account over to its next user (F75).
    if (accountId !== undefined) await client.query("select set_config('tollgate.account_id', $1, true)", [accountId]);
    const result = await work(toTransaction(client));
    await client.query('commit');
    return result;
  } catch (error) {
    isBroken = isWeather(error) || !(await rollBack(client));
    throw error;
  } finally {
    client.release(isBroken);
  }
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
