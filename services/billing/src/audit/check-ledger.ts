import type { Database, Queryable } from '@tollgate/database/database';
import { nilUuid } from '@tollgate/kernel/uuid';
import { periodOf } from '@tollgate/kernel/period';
import { nameLine } from '@tollgate/pricing/name-line';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createNightlyCheck, type NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { countLedger, type LedgerCounts, readFeesTaken, listPayoutMonths } from './sql-sum-ledger.ts';
import { findLedgerDifferences, type LedgerDifference } from './sql-ledger-checks.ts';
import { feeOn } from '../fees/fee.ts';
import { payoutIdOf } from '../payouts/payout.ts';
import { readLastClosedPeriod } from '../usage/sql-watermark.ts';
import { describeLine, compareBilled, type ComparedBatch } from './compare-billed.ts';
import { noSeal, sealHash } from './seal-books.ts';
import { chainNames, listForgotten, readHead, readSealed, type ChainName, type SealedRow } from './sql-seals.ts';

export interface LedgerReport extends LedgerCounts {
  /** Lines that were counted late and go on the next invoices. */
  readonly waiting: number;
  /** The ends of the chains of hashes: chain, number of seals, hash. */
  readonly heads: readonly string[];
  /** Empty if the ledger is right. */
  readonly differences: readonly LedgerDifference[];
}

const examplesMax = 20;

/** Checks every rule of the ledger, and the chains of hashes, and that rating closed periods again gives the billed amounts. */
export async function checkLedger(database: Database): Promise<LedgerReport> {
  const counts = await database.transaction(countLedger);
  const rules = await database.transaction(async (tx) => {
    return [...(await findLedgerDifferences(tx)), ...(await checkFees(tx)), ...(await checkPayoutMonths(tx))];
  });
  const { differences: broken, heads } = await checkChains(database);
  const differences = [...rules, ...broken];
  const { differences: lines, waiting } = await rateClosedPeriods(database);
  if (lines.length === 0) return { ...counts, waiting, heads, differences };
  const check = 'rating closed periods again gives their lines and adjustments';
  const rated = { check, rows: lines.length, examples: lines.slice(0, examplesMax) };
  return { ...counts, waiting, heads, differences: [...differences, rated] };
}

/** Finds builders whose fees taken differ from the fee on their gross. Returns one difference, or none. */
async function checkFees(db: Queryable): Promise<LedgerDifference[]> {
  const wrong = (await readFeesTaken(db)).filter(({ grossMicros, feeMicros }) => feeMicros !== feeOn(grossMicros));
  if (wrong.length === 0) return [];
  const examples = wrong
    .slice(0, examplesMax)
    .map(({ builderId, grossKey, grossMicros, feeMicros }) =>
      [
        `builder ${builderId}, ${grossKey}: gross ${grossMicros}`,
        `fees ${feeMicros}, expected ${feeOn(grossMicros)}`,
      ].join(', '),
    );
  return [{ check: 'the fees taken from each builder are the fee on its gross', rows: wrong.length, examples }];
}

const batchRows = 5_000;

/** Finds payouts of another month or builder than the one that their ids are made of. Returns one difference, or none. */
async function checkPayoutMonths(db: Queryable): Promise<LedgerDifference[]> {
  let rows = 0;
  const examples: string[] = [];
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const batch = await listPayoutMonths(db, afterId, batchRows);
    const wrong = batch.filter(({ id, builderId, period }) => payoutIdOf(builderId, period) !== id);
    rows += wrong.length;
    examples.push(
      ...wrong
        .slice(0, examplesMax - examples.length)
        .map(({ id, builderId, period }) => `payout ${id} of builder ${builderId} is labelled ${period}`),
    );
    afterId = batch.at(-1)?.id;
  }
  return rows === 0 ? [] : [{ check: 'each payout is of the month that its id is made of', rows, examples }];
}

export interface RatedAgain {
  /** Lines that are wrong, as text. */
  readonly differences: readonly string[];
  /** The number of lines that were counted late and go on the next invoices. They are no difference. */
  readonly waiting: number;
}

/** Rates all usage of closed periods again, consumer by consumer, and compares it with the billed lines. */
async function rateClosedPeriods(database: Database): Promise<RatedAgain> {
  const lastClosed = await database.transaction(readLastClosedPeriod);
  if (lastClosed === null) return { differences: [], waiting: 0 };
  const closed = {
    firstPeriod: periodOf(0), // no event is older
    lastPeriod: lastClosed,
    isCompared: ({ period }: { readonly period: string }) => period <= lastClosed,
    lastClosed,
  };
  const differences: string[] = [];
  let waiting = 0;
  for (let afterId: string | undefined = nilUuid; afterId !== undefined;) {
    const query = { ...closed, afterId };
    const batch: ComparedBatch = await database.transaction((tx) => compareBilled(tx, query));
    differences.push(
      ...batch.misrated.map((line) => `${nameLine(line)} is not its quantity at its price`),
      ...batch.misnamed.map((line) => `${nameLine(line)}, ${describeLine(line)}: its price says otherwise`),
      ...batch.lost.map((line) => `${nameLine(line)} was counted and never billed, or billed and never counted`),
    );
    waiting += batch.waiting;
    afterId = batch.lastId;
  }
  return { differences, waiting };
}

export interface CheckedChains {
  readonly differences: readonly LedgerDifference[];
  /** The end of each chain, as text to keep elsewhere. Who keeps it can prove later that nothing before it changed. */
  readonly heads: readonly string[];
}

const rowNames = { ledger: 'transaction', invoice: 'invoice' } as const;

/** Computes both chains of hashes again from the rows, and names the rows that were changed or removed. */
export async function checkChains(database: Database): Promise<CheckedChains> {
  const differences: LedgerDifference[] = [];
  const heads: string[] = [];
  for (const chain of chainNames) {
    const broken = await checkChain(database, chain);
    const check = `the chain of hashes over ${chain === 'ledger' ? 'postings' : 'invoices'} is whole`;
    if (broken.length > 0) differences.push({ check, rows: broken.length, examples: broken.slice(0, examplesMax) });
    const head = await readHead(database, chain);
    if (head) heads.push(`${chain} ${head.place} ${Buffer.from(head.hash).toString('hex')}`);
  }
  return { differences, heads };
}

async function checkChain(database: Database, chain: ChainName): Promise<string[]> {
  const broken: string[] = [];
  let before: { readonly place: bigint; readonly hash: Uint8Array } = { place: 0n, hash: noSeal };
  for (;;) {
    const page = { after: before.place, limit: batchRows };
    const rows = await database.transaction((tx) => readSealed(tx, chain, page));
    for (const row of rows) {
      const reason = reasonOf(row, before);
      if (reason !== undefined) broken.push(`${rowNames[chain]} ${row.sealed_id} at place ${row.place}: ${reason}`);
      before = row; // goes on from the stored hash, so that one change is one row
    }
    if (rows.length < batchRows) break;
  }
  const forgotten = await database.transaction((tx) => listForgotten(tx, chain));
  return [...broken, ...forgotten.map((id) => `${rowNames[chain]} ${id} was never sealed`)];
}

function reasonOf(row: SealedRow, before: { readonly place: bigint; readonly hash: Uint8Array }): string | undefined {
  if (row.place !== before.place + 1n) return `the seals before it, from place ${before.place + 1n}, were removed`;
  if (row.content === null) return 'it was removed';
  const isWhole = sealHash(before.hash, row.content).equals(row.hash);
  return isWhole ? undefined : 'it or its seal was changed';
}

export interface NightlyLedgerCheckDeps {
  /** Connections of its own, which the check starts and stops (`nightly-check.ts`). */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** 03:00 UTC. A month closes at least a day after its end, and load is low. */
const hour = 3;

/**
 * Checks the ledger once a day, as `tollgate operator ledger check` does at any time. A difference is logged as an error and
 * shown by the metric until a later check finds none.
 */
export function createNightlyLedgerCheck({ database, clock, log, metrics }: NightlyLedgerCheckDeps): NightlyCheck {
  const differing = metrics?.gauge('tollgate_billing_ledger_differences', 'Failed checks of the last ledger check.');

  async function check(): Promise<number> {
    const { differences, ...counts } = await checkLedger(database);
    differing?.set(differences.length);
    if (differences.length > 0) log.error({ differences }, 'the ledger check found differences');
    else log.info(counts, 'the ledger check found no differences');
    return differences.length;
  }

  const table = 'billing.ledger_check';
  return createNightlyCheck({ name: 'nightly-ledger-check', database, table, hour, clock, log, check });
}
