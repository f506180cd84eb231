import type pg from 'pg';

const rowsMax = 10_000;

/** Inserts rows by the thousand: the statement `text` takes an array for each column. */
export function createRows(client: pg.Client, text: string) {
  let columns: unknown[][] = [];

  async function flush(): Promise<void> {
    const full = columns;
    columns = [];
    if (full.length > 0) await client.query(text, full);
  }

  return {
    async add(row: readonly unknown[]): Promise<void> {
      for (const [at, value] of row.entries()) (columns[at] ??= []).push(value);
      if ((columns[0]?.length ?? 0) >= rowsMax) await flush();
    },
    flush,
  };
}
