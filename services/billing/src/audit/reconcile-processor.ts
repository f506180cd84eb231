import { formatUsd, micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Processor, ExistingMovement, TimeWindow } from '../processor/processor.ts';
import { compareMovement, effectOf, usd, movementWindow, ifFound } from './compare-movement.ts';
import { compareCards, compareParties, compareDisputes } from './compare-parties.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';
import {
  type SettledMovement,
  readDisputesOf,
  readParties,
  readSettledMovements,
} from './sql-read-settled-movements.ts';
import { findKnownMovements } from './sql-read-inbox.ts';
import type { AttemptKind } from '../processor/attempt.ts';
import { readMovement } from '../processor/attempt-movements.ts';

export interface ReconcileProcessorDeps {
  readonly database: Database;
  readonly processor: Processor;
}

const snapshot = { isolation: 'snapshot' } as const;

/**
 * Compares our orders of the period with the processor's objects, one to one, with their parties and disputes. It also
 * names every object of the period and of the month after it that is in no period of our books. These windows join, so
 * no time is left out.
 */
export async function reconcileProcessor(
  { database, processor }: ReconcileProcessorDeps,
  scope: ReconcileScope,
): Promise<ReconcileStep> {
  const query = { ...scope, processor: processor.name };
  const ours = await database.transaction(async (tx) => {
    const movements = await readSettledMovements(tx, query);
    return { movements, disputes: await readDisputesOf(tx, query), parties: await readParties(tx, query) };
  }, snapshot);
  const window = movementWindow(scope.period);
  const theirs = await readTheirs(processor, window, ours.movements);
  const isUnknown = await database.transaction((tx) => findUnknown(tx, { processor, theirs }));
  const attempts = new Set(ours.movements.map(({ attemptId }) => attemptId));
  const isOurs = (id: string) => attempts.has(id);
  const matched = ours.movements.map((movement) => ({ ours: movement, theirs: theirs.of(movement), isOurs }));
  const charged = new Set(matched.flatMap((one) => (one.ours.kind === 'charge' ? one.ours.parties : [])));
  const cards = await compareCards(
    processor,
    ours.parties.filter(({ kind, objectId }) => kind === 'customer' && charged.has(objectId)),
  );
  const rows = [
    ...matched.flatMap(compareMovement),
    ...theirs.all.filter(isUnknown).map(nameUnknown),
    ...(await compareParties({ processor, ours: ours.parties, matched })),
    ...cards.rows,
    ...(await compareDisputes({ database, processor, window, ours: ours.disputes })),
  ];
  return { ...sidesOf(processor, matched), ...differingRows(rows), note: noteOf(cards.left) };
}

function noteOf(left: number): string | null {
  return left === 0 ? null : `The cards of ${left} customers were not compared. With an account its card is.`;
}

interface Unknowns {
  readonly processor: Processor;
  readonly theirs: { readonly all: readonly Theirs[] };
}

/** Failed objects moved nothing, so it does not matter whether we know them. */
async function findUnknown(tx: Parameters<typeof findKnownMovements>[0], { processor, theirs }: Unknowns) {
  const moved = theirs.all.filter(({ status }) => status !== 'failed');
  const known = await findKnownMovements(tx, processor.name, moved);
  return ({ objectId, status }: Theirs) => status !== 'failed' && !known.has(objectId);
}

function nameUnknown({ kind, objectId, amountCents }: Theirs): string {
  return `${kind} ${objectId} of ${usd(amountCents)}: we never ordered it, or have lost the order`;
}

interface Matched {
  readonly ours: SettledMovement;
  readonly theirs: readonly Theirs[];
}

function sidesOf({ name }: Processor, matched: readonly Matched[]) {
  const cash = matched.reduce((sum, { ours }) => sum + ours.cashMicros, 0n);
  const objects = matched.flatMap(({ theirs }) => theirs);
  const moved = objects.reduce((sum, object) => sum + effectOf(object.kind, object), 0n);
  const left = { what: 'orders, and the cash that the ledger moved for them', count: BigInt(matched.length) };
  const right = { what: `objects at ${name}, less its fees`, count: BigInt(objects.length) };
  return {
    name: 'ledger_processor',
    unit: 'usd',
    left: { ...left, sum: formatUsd(micros(cash)) },
    right: { ...right, sum: formatUsd(micros(moved)) },
  } as const;
}

type Theirs = ExistingMovement & { readonly kind: AttemptKind };

export interface TheirMovements {
  readonly all: readonly Theirs[];
  /** The objects with the order's object id, or with its mark. */
  of(ours: SettledMovement): readonly Theirs[];
}

/**
 * Reads the processor's movements of the window. Objects of our orders that are not among them are read one by one: an
 * order may get through long after it was begun (F120).
 */
async function readTheirs(
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
