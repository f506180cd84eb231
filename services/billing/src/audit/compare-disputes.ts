import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Processor, ProcessorDispute, TimeWindow } from '../processor/processor.ts';
import { usd } from './compare-movement.ts';
import { differing } from './differing.ts';
import { ifFound } from './if-found.ts';
import { findKnownDisputes } from './sql-find-known-objects.ts';
import type { BookedDispute } from './sql-read-disputes.ts';

export interface DisputeComparison {
  readonly database: Database;
  readonly processor: Processor;
  readonly window: TimeWindow;
  readonly ours: readonly BookedDispute[];
}

/** Compares our disputes with the processor's, and names those of the window that are not in our books. */
export async function compareDisputes({ database, processor, window, ours }: DisputeComparison): Promise<string[]> {
  const theirs = new Map<string, ProcessorDispute>();
  for await (const dispute of processor.disputes.list(window)) theirs.set(dispute.objectId, dispute);
  const known = await database.transaction((tx) => findKnownDisputes(tx, processor.name, [...theirs.keys()]));
  const rows = [...theirs.values()].filter(({ objectId }) => !known.has(objectId)).map(nameUnknown);
  for (const dispute of ours) {
    const their = theirs.get(dispute.objectId) ?? (await ifFound(processor.disputes.read(dispute.objectId)));
    rows.push(...compareDispute(dispute, their));
  }
  return rows;
}

function nameUnknown({ objectId, amountCents, chargeObjectId }: ProcessorDispute): string {
  return `dispute ${objectId} of ${usd(amountCents)} on charge ${chargeObjectId}: we do not have it`;
}

function compareDispute(ours: BookedDispute, their: ProcessorDispute | undefined): string[] {
  const dispute = `dispute ${ours.objectId}`;
  if (!their) return [`${dispute} of ${usd(ours.amountCents)}: the processor has none`];
  const differences = [
    ...differing('it is', describe(ours), describe(their)),
    ...(ours.charges.includes(their.chargeObjectId)
      ? []
      : differing('it is of', ours.charges.join(), their.chargeObjectId)),
    ...differing('it took', usd(takenWithUs(ours)), usd(their.takenCents)),
    ...(ours.feeCents === null ? [] : differing('its fee is', usd(ours.feeCents), usd(their.feeCents))),
    ...differing('it was opened at', toIso(ours.openedAtMs), toIso(their.createdAtMs)),
  ];
  return differences.map((difference) => `${dispute}: ${difference}`);
}

function describe({ amountCents, status }: Pick<ProcessorDispute, 'amountCents'> & { status: string }): string {
  return `of ${usd(amountCents)} and ${status}`;
}

/** While a dispute is open, its money is disputed. Once it is closed, the ledger has it as refunds. */
function takenWithUs({ status, takenCents, refundedCents }: BookedDispute): bigint {
  return status === 'open' ? takenCents : refundedCents;
}
