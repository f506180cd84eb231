import type { Database } from '@tollgate/database/database';
import { noSeal, sealHash } from './seal-hash.ts';
import type { LedgerDifference } from './sql-ledger-checks.ts';
import { chainNames, listForgotten, readHead, readSealed, type ChainName, type SealedRow } from './sql-seals.ts';

export interface CheckedChains {
  readonly differences: readonly LedgerDifference[];
  /** The end of each chain, as text to keep elsewhere. Who keeps it can prove later that nothing before it changed. */
  readonly heads: readonly string[];
}

const batchRows = 5_000;
const examplesMax = 20;
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
