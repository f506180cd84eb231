import { formatUsd, micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Processor } from '../processor/processor.ts';
import { compareMovement, effectOf, usd } from './compare-movement.ts';
import { compareCards } from './compare-cards.ts';
import { compareParties } from './compare-parties.ts';
import { compareDisputes } from './compare-disputes.ts';
import { movementWindow } from './movement-window.ts';
import { readTheirs, type Theirs } from './read-theirs.ts';
import { differingRows, type ReconcileScope, type ReconcileStep } from './reconciliation.ts';
import type { SettledMovement } from './settled-movement.ts';
import { findKnownMovements } from './sql-find-known-objects.ts';
import { readDisputesOf } from './sql-read-disputes.ts';
import { readParties } from './sql-read-parties.ts';
import { readSettledMovements } from './sql-read-settled-movements.ts';

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
