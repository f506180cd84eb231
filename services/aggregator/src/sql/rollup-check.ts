import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/runtime/postgres/database';

const beginText = 'insert into usage.rollup_check (due_at) values ($1) on conflict do nothing';

/** Of several that try at once one gets it; where it dies, another gets it once `againMs` has come. */
const claimText = 'update usage.rollup_check set due_at = $2 where due_at <= $1 returning only_row';

const finishText = 'update usage.rollup_check set due_at = $1, checked_at = $2, differences = $3';

export interface RollupCheckClaim {
  readonly nowMs: number;
  readonly againMs: number;
  /** When the very first one is due. */
  readonly firstMs: number;
}

/** Whether a check is due, and is the caller's to do. */
export async function claimRollupCheck(db: Queryable, { nowMs, againMs, firstMs }: RollupCheckClaim): Promise<boolean> {
  await db.query({ name: 'begin-rollup-check', text: beginText }, [toIso(firstMs)]);
  return (await db.query({ name: 'claim-rollup-check', text: claimText }, [toIso(nowMs), toIso(againMs)])).length > 0;
}

export interface RollupCheckResult {
  readonly nextMs: number;
  readonly checkedMs: number;
  readonly differences: number;
}

export async function finishRollupCheck(db: Queryable, { nextMs, checkedMs, differences }: RollupCheckResult) {
  await db.query({ name: 'finish-rollup-check', text: finishText }, [toIso(nextMs), toIso(checkedMs), differences]);
}
