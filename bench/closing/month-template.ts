import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { parseUsd } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createCloseDuePeriods } from '../../services/billing/src/invoicing/close-due-periods.ts';
import { startThrowAwayPostgres } from '../products/throw-away-postgres.ts';
import type { MeasuredProcess } from '../row.ts';
import { putCatalogue, putMonth, putWatermark, toolsPerConsumer } from './put-usage.ts';

export interface Months {
  /** (consumer, tool) pairs of each month. */
  readonly pairs: number;
  /** Which month since the first is the one to close; those before it are closed already. */
  readonly month: number;
}

/** A database with a month that is due to be closed; rounds close clones of it, so that each begins with the same rows. */
export interface MonthTemplate {
  readonly processes: readonly MeasuredProcess[];
  /** A fresh clone in place of the last one. */
  clone(): Promise<MonthClone>;
  close(): Promise<void>;
}

export interface MonthClone {
  readonly ownerUrl: string;
  /** Reads for accounts, as requests do. */
  readonly api: Database;
  /** Closes the month, and answers how many seconds that took. */
  closeMonth(): Promise<number>;
}

const statementTimeoutMs = 3_600_000;
const log = createLogger({ name: 'bench', level: 'warn' });

export async function makeMonthTemplate(months: Months): Promise<MonthTemplate> {
  if (months.pairs % toolsPerConsumer !== 0) throw new Error(`--pairs must be a multiple of ${toolsPerConsumer}`);
  const postgres = await startThrowAwayPostgres();
  const administrator = connect('bench-administrator', onDatabase(postgres.urlFor('postgres'), 'postgres'));
  let taken: Database[] = [];
  try {
    await fill(postgres.ownerUrl, postgres.urlFor('billing_worker'), months);
  } catch (error) {
    await administrator.stop();
    await postgres.stop();
    throw error;
  }

  async function stopTaken(): Promise<void> {
    for (const database of taken) await database.stop();
    taken = [];
  }

  async function clone(): Promise<MonthClone> {
    await stopTaken();
    await administrator.query('drop database if exists bench_clone with (force)');
    await administrator.query('create database bench_clone template tollgate owner tollgate_owner');
    await administrator.query('checkpoint'); // the round does not pay for the clone's writes
    const worker = connect('billing-jobs', onDatabase(postgres.urlFor('billing_worker'), 'bench_clone'));
    const api = connect('billing-api', onDatabase(postgres.urlFor('billing_api'), 'bench_clone'));
    taken = [worker, api];
    for (const database of taken) await database.query('select 1'); // connected before the clock runs
    const ownerUrl = onDatabase(postgres.ownerUrl, 'bench_clone');
    return { ownerUrl, api, closeMonth: () => closeMonth(worker, months) };
  }

  return {
    processes: [
      { name: 'bench (closes)', pid: process.pid },
      { name: 'postgres', pid: postgres.pid, isTree: true },
    ],
    clone,
    async close() {
      await stopTaken();
      await administrator.stop();
      await postgres.stop();
    },
  };
}

async function fill(ownerUrl: string, workerUrl: string, { pairs, month }: Months): Promise<void> {
  const owner = connect('bench', ownerUrl);
  const worker = connect('billing-jobs', workerUrl);
  try {
    await putCatalogue(owner);
    for (let at = 1; at <= month; at += 1) {
      await putMonth(owner, { pairs, month: at });
      await putWatermark(owner, at);
      if (at < month) await closeMonth(worker, { pairs, month: at });
    }
    await owner.query('vacuum analyze');
  } finally {
    await worker.stop();
    await owner.stop(); // a template must have no connections
  }
}

async function closeMonth(worker: Database, { pairs, month }: Months): Promise<number> {
  const closeDuePeriods = createCloseDuePeriods({ database: worker, minimumMicros: parseUsd('0.50'), log });
  const startedMs = performance.now();
  const closed = await closeDuePeriods(Date.UTC(2026, month, 2, 1));
  const seconds = (performance.now() - startedMs) / 1_000;
  if (closed.length !== 1) throw new Error(`${closed.length} months were closed, not one`);
  const [{ period } = { period: '' }] = closed;
  const { lines } = onlyRow(await worker.query<{ lines: bigint }>(countLines, [period]));
  if (lines !== BigInt(pairs)) throw new Error(`${period} has ${lines} lines, not ${pairs}`);
  return seconds;
}

/** The hours of a month since the first, from 1. */
export function benchMonth(month: number) {
  return { fromMs: Date.UTC(2026, month - 1, 1), toMs: Date.UTC(2026, month, 1) };
}

const countLines = `
select count(*) as lines from billing.invoice_line l join billing.invoice i using (invoice_id) where i.period = $1`;

function connect(name: string, url: string): Database {
  return createDatabase({ url, name, maxConnections: 2, statementTimeoutMs, isPipelined: true, log });
}

function onDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
