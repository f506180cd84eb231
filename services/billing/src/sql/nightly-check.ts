import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/runtime/postgres/database';

const beginText = `insert into billing.ledger_check (due_at) values ($1) on conflict do nothing`;

/** Of several that try at once one gets it; where it dies, another gets it once `againMs` has come. */
const claimText = `update billing.ledger_check set due_at = $2 where due_at <= $1 returning only_row`;

const finishText = `update billing.ledger_check set due_at = $1, checked_at = $2, differences = $3`;

export interface NightlyClaim {
  readonly nowMs: number;
  readonly againMs: number;
  /** When the very first one is due. */
  readonly firstMs: number;
}

/** Whether a check is due, and is the caller's to do. */
export async function claimNightlyCheck(db: Queryable, { nowMs, againMs, firstMs }: NightlyClaim): Promise<boolean> {
  await db.query({ name: 'begin-nightly-check', text: beginText }, [toIso(firstMs)]);
  return (await db.query({ name: 'claim-nightly-check', text: claimText }, [toIso(nowMs), toIso(againMs)])).length > 0;
}

export interface NightlyResult {
  readonly nextMs: number;
  readonly checkedMs: number;
  readonly differences: number;
}

export async function finishNightlyCheck(db: Queryable, { nextMs, checkedMs, differences }: NightlyResult) {
  await db.query({ name: 'finish-nightly-check', text: finishText }, [toIso(nextMs), toIso(checkedMs), differences]);
}
