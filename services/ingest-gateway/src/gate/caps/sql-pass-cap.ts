import type { Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { PassCap } from '../../passes/pass.ts';

const columns = 'pass_id, created_at, cap_micros, cap_window, cap_changed_at';
const ofAccounts = 'account_id = any ($1::uuid[]) and cap_micros is not null and revoked_at is null';

export interface CappedPass {
  readonly passId: string;
  readonly createdAtMs: number;
  readonly cap: PassCap;
}

interface CapRow {
  readonly pass_id: string;
  readonly created_at: Date;
  readonly cap_micros: bigint;
  readonly cap_window: PassCap['window'];
  readonly cap_changed_at: Date;
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
  return { passId: row.pass_id, createdAtMs: row.created_at.getTime(), cap };
}
