import { withOracleDatabase } from './oracle-database.ts';

const relations = `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('auth', 'billing', 'notify', 'usage', 'event_log') and c.relkind in ('r', 'p', 'v', 'm')
    and has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select')
  order by 1`;

// One row each that belongs to no account: until when everything is counted, since when events are kept, and how many dead
// letters wait.
const ofNobody = new Set(['usage.watermark_v1', 'usage.kept_since_v1', 'usage.waiting_dead_letters_v1']);

export interface VisibleRelation {
  readonly name: string;
  readonly rows: number;
}

/** O5: counts the rows that a role sees without acting for an account, in each table and view that it may read. */
export async function readRowsWithoutAccount(url: string): Promise<VisibleRelation[]> {
  return withOracleDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(relations);
    const visible: VisibleRelation[] = [];
    for (const { name } of rows.filter((row) => !ofNobody.has(row.name))) {
      const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`);
      visible.push({ name, rows: Number(counted.rows[0]?.rows) });
    }
    return visible;
  });
}
