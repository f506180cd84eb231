import type { Transaction } from '@tollgate/database/database';
import { toTextArray } from './sql-array-literal.ts';

// A tool is called once its call is in the rollups: an event that turned out to be a repeat or a conflict calls nothing. In the
// order of tools, as the rollups: two flushes wait for each other and do not deadlock.
const text = `
with asked as (
  select * from unnest($1::text[], $2::timestamptz[]) as t (tool_id, called_at)
), noted as (
  insert into usage.called_tool (tool_id, first_called_at)
  select a.tool_id, a.called_at from asked a
  where exists (select from usage.rollup r where r.tool_id = a.tool_id)
    or exists (select from usage.pass_rollup r where r.tool_id = a.tool_id)
  order by a.tool_id
  on conflict do nothing returning tool_id
)
select tool_id from noted
union all select c.tool_id from usage.called_tool c join asked using (tool_id)`;

/** Notes which of these tools, with the time of a call of each, are called for the first time. Returns those that are noted now. */
export async function noteCalledTools(tx: Transaction, calls: ReadonlyMap<string, string>): Promise<string[]> {
  const statement = { name: 'usage.note_called_tools', text };
  const rows = await tx.query<{ tool_id: string }>(statement, [toTextArray([...calls.keys()]), [...calls.values()]]);
  return rows.map(({ tool_id: tool }) => tool);
}
