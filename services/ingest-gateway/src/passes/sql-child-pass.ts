import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { StoredPass } from './pass.ts';
import { shown, toPass, type PassName, type PassRow } from './sql-pass.ts';

// The root first, as everybody locks them: a pass is locked before its parts.
const lockText = `select ${shown}, key_hash from gate.pass
  where pass_id = any ($1::uuid[]) and account_id = $2 and revoked_at is null
  order by cardinality(ancestor_ids) nulls first for share`;

export interface LockedPass {
  readonly pass: StoredPass;
  readonly keyHash: Uint8Array;
}

/** Locks live passes until the transaction ends: nobody revokes, pauses, changes or rotates one of them meanwhile. */
export async function lockPasses(
  tx: Transaction,
  passIds: readonly string[],
  accountId: string,
): Promise<readonly LockedPass[]> {
  const statement = { name: 'gate.lock_passes_above', text: lockText };
  const rows = await tx.query<PassRow & { readonly key_hash: Uint8Array }>(statement, [passIds, accountId]);
  return rows.map((row) => ({ pass: toPass(row), keyHash: row.key_hash }));
}

const revokeExpiredText = `update gate.pass set revoked_at = $2
  where parent_id = $1 and revoked_at is null and expires_at <= $2`;

/** Makes room: gateways keep a pass in memory until it is revoked. */
export async function revokeExpiredChildren(tx: Transaction, parentId: string, nowMs: number): Promise<void> {
  const statement = { name: 'gate.revoke_expired_children', text: revokeExpiredText };
  await tx.query(statement, [parentId, new Date(nowMs)]);
}

const countText = `select (count(*) filter (where parent_id = $2))::int as children, count(*)::int as all
  from gate.pass where account_id = $1 and ancestor_ids is not null and revoked_at is null`;

export interface ChildCount {
  /** The pass has so many. */
  readonly children: number;
  /** All passes of the account have so many, at any level. */
  readonly all: number;
}

export async function countChildren(tx: Transaction, { accountId, passId }: PassName): Promise<ChildCount> {
  const statement = { name: 'gate.count_children', text: countText };
  return onlyRow(await tx.query<ChildCount>(statement, [accountId, passId]));
}

const live = 'where parent_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)';
const pageText = `select ${shown} from gate.pass ${live} and ($3::timestamptz is null or (created_at, pass_id) < ($3, $4::uuid))
  order by created_at desc, pass_id desc limit $5`;
const totalText = `select count(*)::int as total from gate.pass ${live}`;

export interface ChildrenQuery {
  readonly parentId: string;
  readonly nowMs: number;
  readonly limit: number;
  readonly after?: PagePosition;
}

/** The live children of a pass, newest first, with one row more than `limit` where there is another page. */
export async function listChildren(
  tx: Transaction,
  { parentId, nowMs, limit, after }: ChildrenQuery,
): Promise<{ readonly rows: StoredPass[]; readonly total: number }> {
  const of = [parentId, new Date(nowMs)];
  const page = [after === undefined ? null : new Date(after.createdAtMs), after?.id ?? null, limit + 1];
  const rows = await tx.query<PassRow>({ name: 'gate.list_children', text: pageText }, [...of, ...page]);
  const { total } = onlyRow(await tx.query<{ total: number }>({ name: 'gate.total_children', text: totalText }, of));
  return { rows: rows.map(toPass), total };
}

const parts = 'where ancestor_ids @> array[$1::uuid] and revoked_at is null';
const revokeText = `update gate.pass set revoked_at = $2 ${parts}`;
const endText = `update gate.pass set expires_at = $2 ${parts} and (expires_at is null or expires_at > $2)`;

/** Ends all parts of a pass with its earlier key: nobody knows whether they were made by who should have it. */
export async function endParts(
  tx: Transaction,
  passId: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<void> {
  const statement =
    untilMs <= nowMs ? { name: 'gate.revoke_parts', text: revokeText } : { name: 'gate.end_parts', text: endText };
  await tx.query(statement, [passId, new Date(untilMs)]);
}
