import pg from 'pg';

export interface StatementTime {
  readonly calls: number;
  readonly milliseconds: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly text: string;
}

export interface StatementCounts {
  /** Forgets all statements so far. */
  reset(): Promise<void>;
  /** The longest in sum first. */
  read(): Promise<StatementTime[]>;
  close(): Promise<void>;
}

const readText = `
select calls::int, total_exec_time as milliseconds, rows::int, wal_bytes::float8 as "walBytes", query as text
from pg_stat_statements where toplevel and query not like '%pg_stat_statements%' order by total_exec_time desc limit 40`;

/** PostgreSQL's own count of statements, which its module `pg_stat_statements` keeps where it was loaded at the start. */
export async function countStatementsAt(url: string): Promise<StatementCounts> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  return {
    reset: async () => void (await client.query('select pg_stat_statements_reset()')),
    read: async () => (await client.query<StatementTime>(readText)).rows,
    close: () => client.end(),
  };
}
