import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import { onlyRow, type Queryable } from '@tollgate/database/database';

export interface ToolRow {
  readonly tool_id: string;
  readonly owner_id: string;
  readonly is_archived: boolean;
  readonly changed_seq: bigint;
  readonly default_max: AuthorizedMax | null; // billing stores only what the contract admits
  readonly resource: string | null;
}

const columns = 'tool_id, owner_id, archived_at is not null as is_archived, changed_seq, default_max, resource';

const changedText = `select ${columns} from billing.tool_directory_v1
where changed_seq > $1::bigint order by changed_seq limit $2`;

/** At most `limit` changed tools, in the order of their changes. Uses the index on changed_seq. */
export function readChangedTools(db: Queryable, afterSeq: bigint, limit: number): Promise<ToolRow[]> {
  return db.query<ToolRow>({ name: 'billing.read_changed_tools', text: changedText }, [afterSeq.toString(), limit]);
}

const newestText = `select ${columns} from billing.tool_directory_v1 order by changed_seq desc limit $1`;

/** The tools that changed last, the newest first. Uses the index on changed_seq. */
export function readNewestTools(db: Queryable, limit: number): Promise<ToolRow[]> {
  return db.query<ToolRow>({ name: 'billing.read_newest_tools', text: newestText }, [limit]);
}

const byIdText = `select ${columns} from billing.tool_directory_v1 where tool_id = any ($1::text[])`;

/** Uses the primary key. */
export function readTools(db: Queryable, toolIds: readonly string[]): Promise<ToolRow[]> {
  return db.query<ToolRow>({ name: 'billing.read_tools', text: byIdText }, [toolIds]);
}

const greatestSeqText = `select greatest(
  (select changed_seq from billing.tool_directory_v1 order by changed_seq desc limit 1),
  (select changed_seq from billing.tool_price_change_v1 order by changed_seq desc limit 1), 0)::bigint as seq`;

/** The number of the latest change of the catalogue. Uses the indexes on changed_seq. */
export async function readCatalogueSeq(db: Queryable): Promise<bigint> {
  return onlyRow(await db.query<{ seq: bigint }>({ name: 'billing.read_catalogue_seq', text: greatestSeqText })).seq;
}
