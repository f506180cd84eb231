import type { Clock } from '@tollgate/kernel/clock';
import { withAncestors, type Pass } from './pass.ts';
import type { PassEntry } from './sql-pass.ts';

/** The passes that a gateway knows. */
export interface PassMemory {
  /** Rows are applied in the order of their changes; what memory has newer stays. */
  apply(entry: PassEntry): void;
  has(keyHash: string): boolean;
  byId(passId: string): Pass | undefined;
  /** The pass that a key opens now. */
  judge(keyHash: string): Pass | undefined;
}

export function createPassMemory(clock: Pick<Clock, 'now'>): PassMemory {
  const entries = new Map<string, PassEntry>();
  const passIds = new Map<string, string>();

  /** A pass bounds what is a part of it by what memory knows of it now. Without it no part counts. */
  function toPass({ pass, root }: PassEntry): Pass | undefined {
    if (root !== undefined) return root;
    const ancestors = pass.ancestorIds.flatMap((id) => entries.get(id)?.pass ?? []);
    return ancestors.length < pass.ancestorIds.length ? undefined : withAncestors(pass, ancestors);
  }

  function judge(keyHash: string): Pass | undefined {
    const entry = entries.get(passIds.get(keyHash) ?? '');
    const pass = entry && toPass(entry);
    if (entry === undefined || pass === undefined) return undefined;
    const nowMs = clock.now();
    const { oldKeyHash, oldKeyUntilMs } = entry;
    if (pass.expiresAtMs !== undefined && nowMs >= pass.expiresAtMs) return undefined;
    return oldKeyHash === keyHash && nowMs >= oldKeyUntilMs ? undefined : pass;
  }

  return {
    apply(entry) {
      const { passId } = entry.pass;
      const known = entries.get(passId);
      if (known !== undefined) {
        if (known.changedSeq > entry.changedSeq) return;
        for (const hash of hashesOf(known)) passIds.delete(hash);
      }
      entries.delete(passId);
      if (entry.isRevoked) return;
      entries.set(passId, entry);
      for (const hash of hashesOf(entry)) passIds.set(hash, passId);
    },
    has: (keyHash) => passIds.has(keyHash),
    byId(passId) {
      const entry = entries.get(passId);
      return entry && toPass(entry);
    },
    judge,
  };
}

function hashesOf({ keyHash, oldKeyHash }: PassEntry): string[] {
  return oldKeyHash === undefined ? [keyHash] : [keyHash, oldKeyHash];
}
