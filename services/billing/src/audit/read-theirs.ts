import type { AttemptKind } from '../processor/attempt.ts';
import { readMovement } from '../processor/attempt-movements.ts';
import type { ExistingMovement, Processor, TimeWindow } from '../processor/processor.ts';
import { ifFound } from './if-found.ts';
import type { SettledMovement } from './settled-movement.ts';

export type Theirs = ExistingMovement & { readonly kind: AttemptKind };

export interface TheirMovements {
  readonly all: readonly Theirs[];
  /** The objects with the order's object id, or with its mark. */
  of(ours: SettledMovement): readonly Theirs[];
}

/**
 * Reads the processor's movements of the window. Objects of our orders that are not among them are read one by one: an
 * order may get through long after it was begun (F120).
 */
export async function readTheirs(
  processor: Processor,
  window: TimeWindow,
  ours: readonly SettledMovement[],
): Promise<TheirMovements> {
  const all = await listAll(processor, window);
  const listed = new Set(all.map(keyOf));
  for (const { kind, objectId } of ours) {
    if (objectId === null || listed.has(keyOf({ kind, objectId }))) continue;
    const found = await ifFound(readMovement(processor, kind, objectId));
    if (found) all.push({ ...found, kind });
  }
  const byObject = new Map(all.map((theirs) => [keyOf(theirs), theirs]));
  const byAttempt = Map.groupBy(all, ({ kind, attemptId }) => keyOf({ kind, objectId: attemptId ?? '' }));
  return {
    all,
    of({ kind, attemptId, objectId }) {
      const own = objectId === null ? undefined : byObject.get(keyOf({ kind, objectId }));
      const marked = attemptId === null ? [] : (byAttempt.get(keyOf({ kind, objectId: attemptId })) ?? []);
      // A swapped object bears another order's mark. Then it is the difference, and what bears ours is that order's.
      return own === undefined || own.attemptId === attemptId ? marked : [own];
    },
  };
}

async function listAll(processor: Processor, window: TimeWindow): Promise<Theirs[]> {
  const all: Theirs[] = [];
  for await (const charge of processor.charges.list(window)) all.push({ ...charge, kind: 'charge' });
  for await (const refund of processor.refunds.list(window)) all.push({ ...refund, kind: 'refund' });
  for await (const transfer of processor.transfers.list(window)) all.push({ ...transfer, kind: 'transfer' });
  return all;
}

function keyOf({ kind, objectId }: { readonly kind: AttemptKind; readonly objectId: string }): string {
  return `${kind} ${objectId}`;
}
