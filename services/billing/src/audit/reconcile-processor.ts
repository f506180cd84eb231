import { isUuid } from '@tollgate/kernel/uuid';
import { micros, formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { differingRows, type ReconcileStep } from './reconciliation.ts';
import type { AttemptKind } from '../processor/attempt.ts';
import type { KnownDisputeOf, SettledMovement } from './sql-read-settled-movements.ts';
import type { Movement, Processor, ProcessorDispute, TimeWindow } from '../processor/processor.ts';

export interface ProcessorComparison {
  readonly processor: Processor;
  readonly ours: readonly SettledMovement[];
  readonly disputes: readonly KnownDisputeOf[];
  readonly window: TimeWindow;
  /** Returns the given attempts that we know, of any period. */
  readonly findKnown: (attemptIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

type Theirs = Movement & { readonly objectId: string; readonly kind: AttemptKind };

/** Compares our orders of the period with the processor's objects, one to one: by attempt, amount and status. */
export async function reconcileProcessor(comparison: ProcessorComparison): Promise<ReconcileStep> {
  const { processor, ours, window, findKnown } = comparison;
  const theirs = await readTheirs(processor, window);
  const byAttempt = Map.groupBy(theirs, ({ attemptId }) => attemptId);
  const named = [...byAttempt.keys()].filter((id) => id !== undefined).filter(isUuid); // others are not attempts of ours
  const known = await findKnown(named);
  const matched = ours.flatMap(({ attemptId }) => byAttempt.get(attemptId) ?? []);
  const lost = theirs.filter(({ attemptId }) => attemptId !== undefined && !known.has(attemptId));
  const rows = [
    ...ours.flatMap((order) => differenceOf(order, byAttempt.get(order.attemptId) ?? [])),
    ...lost.map(
      (theirs) => `${nameOf(theirs)} of ${usd(theirs.amountCents)}: we never ordered it, or have lost the order`,
    ),
    ...(await disputeDifferences(comparison)),
  ];
  const cash = ours.reduce((sum, { cashMicros }) => sum + cashMicros, 0n);
  const moved = matched.reduce((sum, theirs) => sum + effectOf(theirs.kind, theirs), 0n);
  return {
    name: 'ledger_processor',
    unit: 'usd',
    left: {
      what: 'orders, and the cash that the ledger moved for them',
      count: BigInt(ours.length),
      sum: formatUsd(micros(cash)),
    },
    right: { what: `objects at ${processor.name}`, count: BigInt(matched.length), sum: formatUsd(micros(moved)) },
    ...differingRows(rows),
    note: null,
  };
}

async function readTheirs(processor: Processor, window: TimeWindow): Promise<Theirs[]> {
  const all: Theirs[] = [];
  for await (const charge of processor.charges.list(window)) all.push({ ...charge, kind: 'charge' });
  for await (const refund of processor.refunds.list(window)) all.push({ ...refund, kind: 'refund' });
  for await (const transfer of processor.transfers.list(window)) all.push({ ...transfer, kind: 'transfer' });
  return all;
}

function differenceOf(ours: SettledMovement, theirs: readonly Theirs[]): string[] {
  const [their, second] = theirs;
  const order = `${ours.kind} ${ours.attemptId} of ${usd(ours.amountCents)}`;
  if (second) return [`${order}: the processor has it ${theirs.length} times`];
  if (!their)
    return ours.objectId === null && ours.status === 'failed'
      ? []
      : [`${order}: ${ours.status} with us, and the processor has none`];
  if (their.amountCents !== ours.amountCents) return [`${order}: the processor has ${usd(their.amountCents)}`];
  if (their.status !== ours.status) return [`${order}: ${ours.status} with us, ${their.status} at the processor`];
  const effect = effectOf(ours.kind, their);
  if (effect === ours.cashMicros) return [];
  return [
    `${order}: the processor moved ${formatUsd(micros(effect))}, the ledger ${formatUsd(micros(ours.cashMicros))} USD`,
  ];
}

/** The change of our cash, in micro-dollars. */
function effectOf(kind: AttemptKind, { status, amountCents }: Movement): bigint {
  if (status !== 'succeeded') return 0n;
  const amount = centsToMicros(amountCents);
  return kind === 'charge' ? amount : 0n - amount;
}

async function disputeDifferences({ processor, disputes, window }: ProcessorComparison): Promise<string[]> {
  const theirs = new Map<string, ProcessorDispute>();
  for await (const dispute of processor.disputes.list(window)) theirs.set(dispute.objectId, dispute);
  return disputes.flatMap(({ objectId, amountCents, status }) => {
    const their = theirs.get(objectId);
    if (!their) return [`dispute ${objectId} of ${usd(amountCents)}: the processor has none`];
    if (their.amountCents === amountCents && their.status === status) return [];
    return [
      `dispute ${objectId}: ${usd(amountCents)} and ${status} with us, ${usd(their.amountCents)} and ${their.status} there`,
    ];
  });
}

function nameOf({ kind, objectId }: Theirs): string {
  return `${kind} ${objectId}`;
}

function usd(cents: bigint): string {
  return `${formatUsd(centsToMicros(cents))} USD`;
}
