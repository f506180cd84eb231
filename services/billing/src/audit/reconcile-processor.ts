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
  /** Of the attempts that the processor names, those that we know, of whatever period. */
  readonly findKnown: (attemptIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

type Theirs = Movement & { readonly objectId: string; readonly kind: AttemptKind };

/** Both sides one to one: what we ordered for the period and what the processor has, by attempt, amount and state. */
export async function reconcileProcessor(comparison: ProcessorComparison): Promise<ReconcileStep> {
  const { processor, ours, window, findKnown } = comparison;
  const theirs = await readTheirs(processor, window);
  const byAttempt = Map.groupBy(theirs, ({ attemptId }) => attemptId);
  const named = [...byAttempt.keys()].filter((id) => id !== undefined).filter(isUuid); // else it is no attempt of ours
  const known = await findKnown(named);
  const matched = ours.flatMap(({ attemptId }) => byAttempt.get(attemptId) ?? []);
  const lost = theirs.filter(({ attemptId }) => attemptId !== undefined && !known.has(attemptId));
  const rows = [
    ...ours.flatMap((one) => differenceOf(one, byAttempt.get(one.attemptId) ?? [])),
    ...lost.map((one) => `${nameOf(one)} of ${usd(one.amountCents)}: we never ordered it, or have lost the order`),
    ...(await disputeDifferences(comparison)),
  ];
  const cash = ours.reduce((sum, { cashMicros }) => sum + cashMicros, 0n);
  const moved = matched.reduce((sum, one) => sum + effectOf(one.kind, one), 0n);
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
  for await (const one of processor.charges.list(window)) all.push({ ...one, kind: 'charge' });
  for await (const one of processor.refunds.list(window)) all.push({ ...one, kind: 'refund' });
  for await (const one of processor.transfers.list(window)) all.push({ ...one, kind: 'transfer' });
  return all;
}

function differenceOf(ours: SettledMovement, theirs: readonly Theirs[]): string[] {
  const [their, second] = theirs;
  const order = `${ours.kind} ${ours.attemptId} of ${usd(ours.amountCents)}`;
  if (second) return [`${order}: the processor made it ${theirs.length} times`];
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

/** In cash of ours. */
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
