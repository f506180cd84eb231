import { isUuid } from '@tollgate/kernel/uuid';
import type { Transaction } from '@tollgate/database/database';
import type { ExistingMovement } from '../processor/processor.ts';
import { foreignRefundId } from '../refunds/follow-foreign-refund.ts';

/** An attempt knows its object. Until it does, it knows an object by the mark that the processor keeps. */
const movementsText = `
select o.object_id from unnest($2::text[], $3::uuid[], $4::uuid[]) as o (object_id, attempt_id, refund_id)
where exists (select from billing.processor_attempt a where a.processor = $1 and a.object_id = o.object_id)
  or exists (select from billing.processor_attempt a where a.attempt_id = o.attempt_id and a.object_id is null)
  or exists (select from billing.refund r where r.refund_id = o.refund_id)
  or exists (select from billing.top_up_refund r where r.refund_id = o.refund_id)`;

/** Returns the ids of the given objects of the processor that are in our books, in any period. */
export async function findKnownMovements(
  tx: Transaction,
  processor: string,
  movements: readonly ExistingMovement[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ object_id: string }>(movementsText, [
    processor,
    movements.map(({ objectId }) => objectId),
    movements.map(({ attemptId }) => (attemptId !== undefined && isUuid(attemptId) ? attemptId : null)),
    movements.map(({ objectId }) => foreignRefundId(processor, objectId)),
  ]);
  return new Set(rows.map(({ object_id: id }) => id));
}

const disputesText = `
select processor_dispute_id as object_id from billing.dispute where processor = $1 and processor_dispute_id = any ($2)`;

/** Returns the given disputes that are in our books. */
export async function findKnownDisputes(
  tx: Transaction,
  processor: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ object_id: string }>(disputesText, [processor, ids]);
  return new Set(rows.map(({ object_id: id }) => id));
}
