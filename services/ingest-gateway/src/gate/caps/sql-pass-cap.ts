import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { PassCap } from '../../passes/pass.ts';

// Uses the index on the ancestors of passes.
const columns = `pass_id, created_at, cap_micros, cap_window, cap_changed_at,
  exists (select from gate.pass part where part.ancestor_ids @> array[pass.pass_id]) as has_parts`;
const ofAccounts = 'account_id = any ($1::uuid[]) and cap_micros is not null and revoked_at is null';

export interface CappedPass {
  readonly passId: string;
  readonly createdAtMs: number;
  /** Whether other passes are parts of it: it pays for their calls, too. */
  readonly hasParts: boolean;
  readonly cap: PassCap;
}

interface CapRow {
  readonly pass_id: string;
  readonly created_at: Date;
  readonly cap_micros: bigint;
  readonly cap_window: PassCap['window'];
  readonly cap_changed_at: Date;
  readonly has_parts: boolean;
}

const findText = `select ${columns} from gate.pass where ${ofAccounts} and pass_id = any ($2::uuid[])`;

export async function findCappedPasses(
  tx: Transaction,
  accountIds: readonly string[],
  passIds: readonly string[],
): Promise<CappedPass[]> {
  if (passIds.length === 0) return [];
  const rows = await tx.query<CapRow>({ name: 'gate.find_capped_passes', text: findText }, [accountIds, passIds]);
  return rows.map(fromCapRow);
}

const newText = `select ${columns} from gate.pass where ${ofAccounts} and cap_changed_at > $2::timestamptz - interval '5 s'`;

/** The passes that may have had calls, not counted at this moment, before a gateway knew of their caps. */
export async function listNewlyCapped(
  tx: Transaction,
  accountIds: readonly string[],
  watermarkMs: number,
): Promise<CappedPass[]> {
  const statement = { name: 'gate.list_newly_capped', text: newText };
  return (await tx.query<CapRow>(statement, [accountIds, toIso(watermarkMs)])).map(fromCapRow);
}

function fromCapRow(row: CapRow): CappedPass {
  const cap = {
    amountMicros: micros(row.cap_micros),
    window: row.cap_window,
    changedAtMs: row.cap_changed_at.getTime(),
  };
  return { passId: row.pass_id, createdAtMs: row.created_at.getTime(), hasParts: row.has_parts, cap };
}

const partsText = 'select pass_id from gate.pass where pass_id = any ($1::uuid[]) and ancestor_ids @> array[$2::uuid]';

/** Finds those of the passes that are parts of this one. */
export async function findPartsOf(
  tx: Transaction,
  passId: string,
  among: readonly string[],
): Promise<ReadonlySet<string>> {
  const statement = { name: 'gate.find_parts_of_pass', text: partsText };
  const rows = await tx.query<{ pass_id: string }>(statement, [among, passId]);
  return new Set(rows.map((row) => row.pass_id));
}

const aboveText =
  'select pass_id, ancestor_ids from gate.pass where pass_id = any ($1::uuid[]) and ancestor_ids is not null';

/** The passes that each of these is a part of. */
export async function findAncestorIds(
  tx: Transaction,
  passIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (passIds.length === 0) return new Map();
  const statement = { name: 'gate.find_ancestors', text: aboveText };
  const rows = await tx.query<{ pass_id: string; ancestor_ids: string[] }>(statement, [passIds]);
  return new Map(rows.map((row) => [row.pass_id, row.ancestor_ids]));
}
