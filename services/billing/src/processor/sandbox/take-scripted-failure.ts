import type { Transaction } from '@tollgate/database/database';
import type { MovementKind, ScriptedFailureName } from './scripted-failures.ts';

export interface FailingOrder {
  readonly kind: MovementKind;
  readonly subjectIds: readonly string[];
}

// If two orders come at once, one waits for the other's row. If that failure is used up, it takes the next.
const takeText = `
update sandbox.failure set times_left = times_left - 1
where failure_id = (
  select failure_id from sandbox.failure
  where kind = $1 and times_left > 0 and (subject_id is null or subject_id = any($2))
  order by place limit 1 for update)
returning failure`;

/** Takes the failure that this order meets, if any, and counts it as used. Runs in the transaction of the order. */
export async function takeScriptedFailure(
  tx: Transaction,
  { kind, subjectIds }: FailingOrder,
): Promise<ScriptedFailureName | undefined> {
  const [row] = await tx.query<{ failure: ScriptedFailureName }>(takeText, [kind, subjectIds]);
  return row?.failure;
}
