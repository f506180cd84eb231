import type { Transaction } from '@tollgate/database/database';

export type MovementKind = 'charge' | 'refund' | 'transfer';

/**
 * A failure that the operator scripts.
 *
 * - `decline`: the party that has the money refuses.
 * - `timeout_before_effect`, `timeout_after_effect`: the caller gets no answer; nothing, or everything, has happened.
 * - `delay`: carried out at once, answered after 5 s.
 * - `expired_card`, `authentication_required`, for charges: the bank refuses for this reason.
 * - `insufficient_funds`, for transfers: our balance there is too small.
 * - `reverse_later`, for transfers: succeeds, and is reversed an hour later.
 */
export type ScriptedFailureName =
  | 'decline'
  | 'timeout_before_effect'
  | 'timeout_after_effect'
  | 'delay'
  | 'expired_card'
  | 'authentication_required'
  | 'insufficient_funds'
  | 'reverse_later';

export interface FailureScript {
  readonly on: MovementKind;
  readonly failure: ScriptedFailureName;
  /** How many orders it meets. */
  readonly times: number;
  /** It meets only orders for this invoice (also to refund it) or payout. Undefined: it meets any order. */
  readonly subjectId: string | undefined;
}

export interface ScriptedFailure extends FailureScript {
  readonly id: string;
  readonly createdAtMs: number;
}

/**
 * The failures that wait for orders. Each new order meets the oldest failure that fits it; a repeated key meets none.
 */
export interface ScriptedFailures {
  add(script: FailureScript): Promise<ScriptedFailure>;
  /** Lists failures that still wait, the oldest first; `times` counts the orders that they will still meet. */
  list(): Promise<readonly ScriptedFailure[]>;
  clear(): Promise<void>;
}

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
