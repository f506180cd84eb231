import type { Transaction } from '@tollgate/database/database';
import type { MovementKind, ScriptedFailureName } from './scripted-failures.ts';

export interface FailingOrder {
  readonly kind: MovementKind;
  readonly subjectIds: readonly string[];
}

// Of two orders at once one waits for the other's row, and takes the next if that one was used up.
const takeText = `
update sandbox.failure set times_left = times_left - 1
where failure_id = (
  select failure_id from sandbox.failure
  where kind = $1 and times_left > 0 and (subject_id is null or subject_id = any($2))
  order by place limit 1 for update)
returning failure`;

/** Uses one up, together with what it does. */
export async function takeScriptedFailure(
  tx: Transaction,
  { kind, subjectIds }: FailingOrder,
): Promise<ScriptedFailureName | undefined> {
  const [row] = await tx.query<{ failure: ScriptedFailureName }>(takeText, [kind, subjectIds]);
  return row?.failure;
}
