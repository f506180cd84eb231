import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';
import { withAncestors, type Pass, type PassCap, type StoredPass } from './pass.ts';

export interface PassRow {
  readonly pass_id: string;
  readonly account_id: string;
  readonly ancestor_ids: string[] | null;
  readonly name: string;
  readonly tool_ids: string[] | null;
  readonly is_paused: boolean;
  readonly tags: Record<string, string>;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly cap_micros: bigint | null;
  readonly cap_window: PassCap['window'] | null;
  readonly cap_changed_at: Date | null;
  readonly per_call_max_micros: bigint | null;
  readonly approve_above_micros: bigint | null;
}

export const shown = `pass_id, account_id, ancestor_ids, name, tool_ids, is_paused, tags, prefix, last_four, created_at, expires_at,
  cap_micros, cap_window, cap_changed_at, per_call_max_micros, approve_above_micros`;

/** A pass as gateways keep it in memory: with the hashes that open it. */
export interface PassEntry {
  readonly pass: StoredPass;
  /** The pass as it counts for calls; undefined if that depends on those that it is a part of. */
  readonly root: Pass | undefined;
  readonly keyHash: string;
  readonly oldKeyHash: string | undefined;
  readonly oldKeyUntilMs: number;
  readonly isRevoked: boolean;
  readonly changedSeq: bigint;
}

interface EntryRow extends PassRow {
  readonly key_hash: Uint8Array;
  readonly old_key_hash: Uint8Array | null;
  readonly old_key_until: Date | null;
  readonly revoked_at: Date | null;
  readonly changed_seq: bigint;
}

const selectEntries = `select ${shown}, key_hash, old_key_hash, old_key_until, revoked_at, changed_seq from gate.pass where`;
const live = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** All passes that may be used. */
export async function readLivePasses(db: Queryable): Promise<PassEntry[]> {
  return (await db.query<EntryRow>(`${selectEntries} ${live}`)).map(toEntry);
}

const changed = { name: 'gate.read_changed_passes', text: `${selectEntries} changed_seq > $1::bigint` };

/** The passes that changed after `seq`, revoked ones too, so that their end is seen. */
export async function readChangedPasses(db: Queryable, seq: bigint): Promise<PassEntry[]> {
  return (await db.query<EntryRow>(changed, [seq.toString()])).map(toEntry);
}

/** In one statement: who asks for a pass that does not exist waits as long as for one that does. */
const withAbove = (named: string): string =>
  `${selectEntries} pass_id in (
    select unnest(array_append(ancestor_ids, pass_id)) from gate.pass where ${named} and revoked_at is null
  ) and revoked_at is null`;
const byHash = {
  name: 'gate.find_passes',
  text: withAbove('(key_hash = any ($1::bytea[]) or old_key_hash = any ($1::bytea[]))'),
};

/** The live passes with these hashes, and those that they are parts of. Uses the unique indexes on both hashes. */
export async function findPassesByHash(db: Queryable, hashes: readonly Buffer[]): Promise<PassEntry[]> {
  return (await db.query<EntryRow>(byHash, [hashes])).map(toEntry);
}

const byId = { name: 'gate.find_passes_by_id', text: withAbove('pass_id = any ($1::uuid[])') };

/** Likewise, those with these ids. Uses the primary key. */
export async function findPassesById(db: Queryable, passIds: readonly string[]): Promise<PassEntry[]> {
  return (await db.query<EntryRow>(byId, [passIds])).map(toEntry);
}

const lock = {
  name: 'gate.lock_passes_of_account',
  text: `select pg_advisory_xact_lock(hashtextextended('gate.pass:' || $1, 0))`,
};

/** Until the transaction ends nobody else creates a pass for the account, so that the cap holds for callers who race. */
export async function lockPassesOf(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(lock, [accountId]);
}

const count = {
  name: 'gate.count_live_passes',
  text: `select count(*)::int as live, (count(*) filter (where ancestor_ids is null))::int as own
  from gate.pass where account_id = $1 and revoked_at is null`,
};

export interface PassCount {
  readonly live: number;
  /** The part of them that the account made, not a pass of it. */
  readonly own: number;
}

export async function countPasses(tx: Transaction, accountId: string): Promise<PassCount> {
  return onlyRow(await tx.query<PassCount>(count, [accountId]));
}

const insert = {
  name: 'gate.insert_pass',
  text: `insert into gate.pass (pass_id, account_id, name, tool_ids, is_paused, tags, prefix, last_four, created_at, expires_at,
  key_hash, cap_micros, cap_window, cap_changed_at, per_call_max_micros, approve_above_micros, ancestor_ids)
values ($1, $2, $3, $4::text[], $5, $6::jsonb, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, nullif($17::uuid[], '{}'))`,
};

export async function insertPass(tx: Transaction, pass: StoredPass, keyHash: Uint8Array): Promise<void> {
  const { passId, accountId, name, toolIds, isPaused, tags, prefix, lastFour, createdAtMs, expiresAtMs } = pass;
  const times = [new Date(createdAtMs), toDate(expiresAtMs)];
  const rest = [JSON.stringify(tags), prefix, lastFour, ...times, keyHash, ...limitsOf(pass), pass.ancestorIds];
  await tx.query(insert, [passId, accountId, name, toolIds ?? null, isPaused, ...rest]);
}

const findText = `select ${shown} from gate.pass where pass_id = $1 and account_id = $2 and revoked_at is null`;
const find = { name: 'gate.find_pass', text: findText };
const lockOne = { name: 'gate.lock_pass', text: `${findText} for update` };

/** Undefined for a pass that is unknown, revoked, or another account's. */
export async function findStoredPass(
  tx: Transaction,
  { passId, accountId }: PassName,
): Promise<StoredPass | undefined> {
  const [row] = await tx.query<PassRow>(find, [passId, accountId]);
  return row && toPass(row);
}

const above = {
  name: 'gate.find_passes_above',
  text: `select ${shown} from gate.pass where pass_id = any ($1::uuid[]) and revoked_at is null order by cardinality(ancestor_ids) nulls first`,
};

/** As `findStoredPass`, with all that the pass is a part of: only then there is a second statement. */
export async function findPass(tx: Transaction, name: PassName): Promise<Pass | undefined> {
  const pass = await findStoredPass(tx, name);
  if (pass === undefined || pass.ancestorIds.length === 0) return pass && withAncestors(pass, []);
  const ancestors = (await tx.query<PassRow>(above, [pass.ancestorIds])).map(toPass);
  return ancestors.length < pass.ancestorIds.length ? undefined : withAncestors(pass, ancestors);
}

/** As `findStoredPass`, and locks the pass for a change. */
export async function lockPass(tx: Transaction, { passId, accountId }: PassName): Promise<StoredPass | undefined> {
  const [row] = await tx.query<PassRow>(lockOne, [passId, accountId]);
  return row && toPass(row);
}

export interface PassName {
  readonly passId: string;
  readonly accountId: string;
}

const update = {
  name: 'gate.update_pass',
  text: `update gate.pass set name = $3, tool_ids = $4::text[], is_paused = $5, tags = $6::jsonb, expires_at = $7,
  cap_micros = $8, cap_window = $9, cap_changed_at = $10, per_call_max_micros = $11, approve_above_micros = $12
where pass_id = $1 and account_id = $2`,
};

export async function updatePass(tx: Transaction, pass: StoredPass): Promise<void> {
  const { passId, accountId, name, toolIds, isPaused, tags, expiresAtMs } = pass;
  const values = [name, toolIds ?? null, isPaused, JSON.stringify(tags), toDate(expiresAtMs), ...limitsOf(pass)];
  await tx.query(update, [passId, accountId, ...values]);
}

const rotate = {
  name: 'gate.rotate_pass',
  text: `update gate.pass
set old_key_hash = key_hash, old_key_until = $3, key_hash = $4, prefix = $5, last_four = $6
where pass_id = $1 and account_id = $2`,
};

export interface NewKey {
  readonly keyHash: Uint8Array;
  readonly prefix: string;
  readonly lastFour: string;
  /** Until then the earlier key works. */
  readonly oldKeyUntilMs: number;
}

export async function rotatePass(tx: Transaction, { passId, accountId }: PassName, key: NewKey): Promise<void> {
  const { keyHash, prefix, lastFour, oldKeyUntilMs } = key;
  await tx.query(rotate, [passId, accountId, new Date(oldKeyUntilMs), keyHash, prefix, lastFour]);
}

const revoke = {
  name: 'gate.revoke_pass',
  text: 'update gate.pass set revoked_at = $3 where pass_id = $1 and account_id = $2 and revoked_at is null returning pass_id',
};

/** False for a pass that is unknown, another account's, or revoked already. The row stays, so that gateways see it. */
export async function revokePass(tx: Transaction, { passId, accountId }: PassName, atMs: number): Promise<boolean> {
  return (await tx.query(revoke, [passId, accountId, new Date(atMs)])).length === 1;
}

const list = {
  name: 'gate.list_passes',
  text: `select ${shown} from gate.pass
where account_id = $1 and revoked_at is null
  and ($2::timestamptz is null or (created_at, pass_id) < ($2, $3::uuid))
order by created_at desc, pass_id desc
limit $4`,
};

export interface PassQuery {
  readonly accountId: string;
  readonly after: PagePosition | undefined;
  readonly rowsMax: number;
}

/** Live passes after the cursor, newest first. Uses the index on (account_id, created_at, pass_id). */
export async function listPasses(tx: Transaction, { accountId, after, rowsMax }: PassQuery): Promise<StoredPass[]> {
  const values = [accountId, toDate(after?.createdAtMs), after?.id ?? null, rowsMax];
  return (await tx.query<PassRow>(list, values)).map(toPass);
}

function toEntry(row: EntryRow): PassEntry {
  const pass = toPass(row);
  return {
    pass,
    root: pass.ancestorIds.length === 0 ? withAncestors(pass, []) : undefined,
    keyHash: toBase64(row.key_hash),
    oldKeyHash: row.old_key_hash === null ? undefined : toBase64(row.old_key_hash),
    oldKeyUntilMs: row.old_key_until?.getTime() ?? 0,
    isRevoked: row.revoked_at !== null,
    changedSeq: row.changed_seq,
  };
}

export function toPass(row: PassRow): StoredPass {
  return {
    passId: row.pass_id,
    accountId: row.account_id,
    ancestorIds: row.ancestor_ids ?? [],
    name: row.name,
    toolIds: row.tool_ids ?? undefined,
    isPaused: row.is_paused,
    tags: row.tags,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime(),
    cap: toCap(row),
    perCallMaxMicros: toLimit(row.per_call_max_micros),
    approveAboveMicros: toLimit(row.approve_above_micros),
  };
}

function toLimit(amount: bigint | null): Micros | undefined {
  return amount === null ? undefined : micros(amount);
}

function toCap({ cap_micros: amount, cap_window: window, cap_changed_at: changedAt }: PassRow): PassCap | undefined {
  if (amount === null || window === null || changedAt === null) return undefined;
  return { amountMicros: micros(amount), window, changedAtMs: changedAt.getTime() };
}

function limitsOf({ cap, perCallMaxMicros, approveAboveMicros }: StoredPass): readonly unknown[] {
  const { amountMicros, window = null, changedAtMs } = cap ?? {};
  const ofCalls = [perCallMaxMicros, approveAboveMicros].map((limit) => limit?.toString() ?? null);
  return [amountMicros?.toString() ?? null, window, toDate(changedAtMs), ...ofCalls];
}

function toBase64(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64');
}

function toDate(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}
