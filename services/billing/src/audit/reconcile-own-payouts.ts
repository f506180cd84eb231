import { toIso } from '@tollgate/kernel/clock';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import type { OwnPayout, Processor } from '../processor/processor.ts';
import { usd, differing, ifFound } from './compare-movement.ts';
import { differingRows, type ReconcileStep } from './reconciliation.ts';
import { readOwnPayouts, type BookedOwnPayout } from './sql-read-own-payouts.ts';

export interface ReconcileOwnPayoutsDeps {
  readonly database: Database;
  readonly processor: Processor;
}

/**
 * Compares the payouts of the platform's own balance that were made in the period with their postings, one to one: amount,
 * currency, fee, date, and what came back. One of another currency is not booked, and the note says so.
 */
export async function reconcileOwnPayouts(
  { database, processor }: ReconcileOwnPayoutsDeps,
  period: string,
): Promise<ReconcileStep> {
  const { start: sinceMs, end: untilMs } = periodBounds(period);
  const theirs = new Map<string, OwnPayout>();
  for await (const payout of processor.ownPayouts.list({ sinceMs, untilMs })) theirs.set(payout.objectId, payout);
  const objectIds = [...theirs.keys()];
  const ours = await readOwnPayouts(database, { processor: processor.name, period, objectIds });
  for (const { objectId } of ours.filter((payout) => !theirs.has(payout.objectId))) {
    const found = await ifFound(processor.ownPayouts.read(objectId));
    if (found) theirs.set(objectId, found);
  }
  const known = new Set(ours.map(({ objectId }) => objectId));
  const unknown = [...theirs.values()].filter(({ objectId }) => !known.has(objectId));
  const foreign = unknown.filter(({ currency }) => currency !== 'usd');
  const rows = [
    ...ours.flatMap((payout) => comparePayout(payout, theirs.get(payout.objectId))),
    ...unknown.filter(({ currency }) => currency === 'usd').map(nameUnknown),
  ];
  return { ...sidesOf(processor, ours, [...theirs.values()]), ...differingRows(rows), note: noteOf(foreign) };
}

function nameUnknown({ objectId, amountCents }: OwnPayout): string {
  return `payout ${objectId} of ${usd(amountCents)} to the platform’s bank: it is not booked`;
}

function comparePayout(ours: BookedOwnPayout, their: OwnPayout | undefined): string[] {
  const payout = `payout ${ours.objectId} of ${usd(ours.amountCents)} to the platform’s bank`;
  if (!their) return [`${payout}: the processor has none`];
  const [bank, fees] = [centsToMicros(ours.takenCents), centsToMicros(ours.feeCents)];
  const differences = [
    ...differing('it is of', usd(ours.amountCents), usd(their.amountCents)),
    ...differing('its currency is', 'usd', their.currency),
    ...differing('it took', usd(ours.takenCents), usd(their.takenCents)),
    ...differing('its fee is', usd(ours.feeCents), usd(their.feeCents)),
    ...differing('it was made at', toIso(ours.madeAtMs), toIso(their.createdAtMs)),
    ...(ours.bankMicros === bank && ours.feesMicros === fees
      ? []
      : [`the ledger posted ${inUsd(ours.bankMicros)} at the bank and a fee of ${inUsd(ours.feesMicros)}`]),
  ];
  return differences.map((difference) => `${payout}: ${difference}`);
}

function inUsd(amount: bigint): string {
  return `${formatUsd(micros(amount))} USD`;
}

function sidesOf({ name }: Processor, ours: readonly BookedOwnPayout[], theirs: readonly OwnPayout[]) {
  const booked = ours.reduce((sum, { bankMicros, feesMicros }) => sum + bankMicros + feesMicros, 0n);
  const made = theirs.filter(({ currency }) => currency === 'usd');
  const moved = made.reduce((sum, { takenCents, feeCents }) => sum + centsToMicros(takenCents + feeCents), 0n);
  return {
    name: 'own_payouts',
    unit: 'usd',
    left: {
      what: 'payouts to the platform’s bank, as the ledger has them with their fees',
      count: BigInt(ours.length),
      sum: formatUsd(micros(booked)),
    },
    right: {
      what: `payouts of the platform’s balance at ${name}, with their fees`,
      count: BigInt(made.length),
      sum: formatUsd(micros(moved)),
    },
  } as const;
}

function noteOf(foreign: readonly OwnPayout[]): string | null {
  if (foreign.length === 0) return null;
  const currencies = [...new Set(foreign.map(({ currency }) => currency))].join(', ');
  return `${foreign.length} payouts to the platform’s bank in ${currencies} are not booked: the books are in US dollars.`;
}
