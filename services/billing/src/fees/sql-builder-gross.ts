import { micros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { GrossByKey } from './fee-splits.ts';

export type GrossByBuilder = ReadonlyMap<string, GrossByKey>;

export interface GrossRow {
  readonly builderId: string;
  readonly grossKey: string;
}

const beginText = `
insert into billing.builder_gross (builder_id, gross_key, gross_micros)
select builder_id, gross_key, 0 from jsonb_to_recordset($1::jsonb) as t (builder_id uuid, gross_key text)
order by builder_id, gross_key
on conflict do nothing`;

// Rows are always locked in this order. So two transactions that release and refund for the same builders wait for each
// other and do not deadlock.
const lockText = `
select 1 from billing.builder_gross where builder_id = any ($1::uuid[]) order by builder_id, gross_key for update`;

// A separate statement: the one that waited for the lock does not see rows that were inserted meanwhile.
const readLockedText = `
select builder_id, gross_key, gross_micros from billing.builder_gross where builder_id = any ($1::uuid[])`;

/**
 * Locks these builders' gross and returns it. Nobody else changes it, or the builders' payable money, until `tx` ends.
 */
export async function lockBuilderGross(tx: Transaction, rows: readonly GrossRow[]): Promise<GrossByBuilder> {
  const newRows = rows.map(({ builderId, grossKey }) => ({ builder_id: builderId, gross_key: grossKey }));
  await tx.query({ name: 'billing.begin_builder_gross', text: beginText }, [JSON.stringify(distinct(newRows))]);
  const builderIds = [...new Set(rows.map(({ builderId }) => builderId))];
  await tx.query({ name: 'billing.lock_builder_gross', text: lockText }, [builderIds]);
  const locked = await tx.query<DbGross>({ name: 'billing.read_locked_gross', text: readLockedText }, [builderIds]);
  const byBuilder = new Map<string, Map<string, Micros>>(builderIds.map((id) => [id, new Map()]));
  for (const { builder_id: builderId, gross_key: key, gross_micros: gross } of locked)
    byBuilder.get(builderId)?.set(key, micros(BigInt(gross)));
  return byBuilder;
}

const setText = `
update billing.builder_gross g set gross_micros = t.gross_micros
from jsonb_to_recordset($1::jsonb) as t (builder_id uuid, gross_key text, gross_micros numeric)
where g.builder_id = t.builder_id and g.gross_key = t.gross_key`;

/** Sets the gross of builders that `lockBuilderGross` has locked. */
export async function setBuilderGross(tx: Transaction, gross: GrossByBuilder): Promise<void> {
  const rows = [...gross].flatMap(([builderId, byKey]) =>
    [...byKey].map(([key, amount]) => ({ builder_id: builderId, gross_key: key, gross_micros: String(amount) })),
  );
  await tx.query({ name: 'billing.set_builder_gross', text: setText }, [JSON.stringify(rows)]);
}

interface DbGross {
  readonly builder_id: string;
  readonly gross_key: string;
  readonly gross_micros: string;
}

function distinct(rows: readonly { builder_id: string; gross_key: string }[]) {
  return [...new Map(rows.map((row) => [`${row.builder_id} ${row.gross_key}`, row])).values()];
}

const readText = `select gross_key, gross_micros from billing.builder_gross where builder_id = $1`;

/** Reads a builder's gross without a lock. To change it, lock it with `lockBuilderGross`. */
export async function readBuilderGross(tx: Transaction, builderId: string): Promise<GrossByKey> {
  const rows = await tx.query<{ gross_key: string; gross_micros: string }>(
    { name: 'billing.read_builder_gross', text: readText },
    [builderId],
  );
  return new Map(rows.map((row) => [row.gross_key, micros(BigInt(row.gross_micros))]));
}
