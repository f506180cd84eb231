import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import type { GrossByKey } from './fee-splits.ts';

const text = `select gross_key, gross_micros from billing.builder_gross where builder_id = $1`;

/** As it stands; to change it, it must be locked. */
export async function readBuilderGross(tx: Transaction, builderId: string): Promise<GrossByKey> {
  const rows = await tx.query<{ gross_key: string; gross_micros: string }>({ name: 'read-builder-gross', text }, [
    builderId,
  ]);
  return new Map(rows.map((row) => [row.gross_key, micros(BigInt(row.gross_micros))]));
}
