import type { Database, Transaction } from '@tollgate/database/database';
import { createHash } from 'node:crypto';
import {
  chainNames,
  insertSeals,
  lockSealing,
  readHead,
  readUnsealed,
  type ChainName,
  type Seal,
} from './sql-seals.ts';

export interface SealBooksDeps {
  readonly database: Database;
  /** Rows per transaction: the most work that a crash undoes. */
  readonly batchMax?: number;
}

/**
 * Seals the postings and invoices that were committed since. Returns how many. It may be stopped anywhere and run twice at
 * once. A row that commits late is sealed late; the order of the chain is that of sealing.
 */
export function createSealBooks({ database, batchMax = 2_000 }: SealBooksDeps) {
  return async function sealBooks(nowMs: number): Promise<number> {
    let sealed = 0;
    for (const chain of chainNames) {
      // All of a backlog now: as work that is left it would let all other due work run once per batch.
      for (let more = batchMax; more === batchMax; sealed += more)
        more = await database.transaction((tx) => sealBatch(tx, chain, nowMs));
    }
    return sealed;
  };

  async function sealBatch(tx: Transaction, chain: ChainName, nowMs: number): Promise<number> {
    await lockSealing(tx);
    const rows = await readUnsealed(tx, chain, batchMax); // after the lock, so that it sees all seals
    if (rows.length === 0) return 0;
    const head = await readHead(tx, chain);
    let place = head?.place ?? 0n;
    let hash: Uint8Array = head?.hash ?? noSeal;
    const seals = rows.map(({ id, content }): Seal => {
      place += 1n;
      hash = sealHash(hash, content);
      return { place, sealedId: id, hash };
    });
    await insertSeals(tx, chain, { seals, nowMs });
    return seals.length;
  }
}

/** The hash before the first seal of a chain. */
export const noSeal: Uint8Array = new Uint8Array(32);

/** The hash of a seal: of the seal before, and of the content of its row. */
export function sealHash(before: Uint8Array, content: Uint8Array): Buffer {
  return createHash('sha256').update(before).update(content).digest();
}
