import { formatUsd, micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import type { Processor } from '../processor/processor.ts';
import { differingRows, type ReconcileStep } from './reconciliation.ts';
import { readCash } from './sql-read-cash.ts';

/**
 * Compares the ledger's cash with the balance that the processor holds for us, of all time. It finds every movement that
 * another step does not look at, whenever it was. What the processor withdrew for a dispute of before it was posted counts too.
 */
export async function reconcileCash(database: Database, processor: Processor): Promise<ReconcileStep> {
  const { heldCents, ownCents, otherCurrencies } = await processor.readBalance();
  const { cashMicros, entries, disputedCents, underway } = await database.transaction((tx) =>
    readCash(tx, processor.name),
  );
  const expected = formatUsd(micros(cashMicros - centsToMicros(disputedCents)));
  const balance = formatUsd(centsToMicros(heldCents - ownCents));
  const isEqual = expected === balance;
  const isMixed = otherCurrencies.length > 0;
  const row = `the processor holds ${balance} USD that billing moved, the ledger’s cash is ${expected} USD`;
  return {
    name: 'cash_balance',
    unit: 'usd',
    left: { what: 'cash in the ledger', count: entries, sum: expected },
    right: { what: `balance at ${processor.name}, less own deposits and fees`, count: 1n, sum: balance },
    ...differingRows(isEqual || isMixed ? [] : [row]),
    note: isMixed ? mixed(otherCurrencies) : underway === 0 ? null : ordersUnderway(underway),
  };
}

function ordersUnderway(underway: number): string {
  return `${underway} orders are on their way; their money may be at one side only.`;
}

function mixed(currencies: readonly string[]): string {
  return `The processor holds money in ${currencies.join(', ')} too, at rates that change, so cash is not compared. Let it settle in US dollars.`;
}
