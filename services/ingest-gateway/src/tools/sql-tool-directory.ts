import type { Queryable } from '@tollgate/database/database';

export interface ToolRow {
  readonly tool_id: string;
  readonly owner_id: string;
  readonly is_archived: boolean;
  readonly changed_seq: bigint;
}

const columns = 'tool_id, owner_id, archived_at is not null as is_archived, changed_seq';

const changedText = `select ${columns} from billing.tool_directory_v1 where changed_seq > $1::bigint`;

/** Uses the index on changed_seq. */
export function readChangedTools(db: Queryable, afterSeq: bigint): Promise<ToolRow[]> {
  return db.query<ToolRow>({ name: 'billing.read_changed_tools', text: changedText }, [afterSeq.toString()]);
}

const byIdText = `select ${columns} from billing.tool_directory_v1 where tool_id = any ($1::text[])`;

/** Uses the primary key. */
export function readTools(db: Queryable, toolIds: readonly string[]): Promise<ToolRow[]> {
  return db.query<ToolRow>({ name: 'billing.read_tools', text: byIdText }, [toolIds]);
}
