import type { Transaction } from '@tollgate/database/database';
import type { CapState } from '../authorizations/hold.ts';
import { coversLine, type Line } from './lines.ts';
import { changeCaps, type CapChange } from '../caps/sql-cap-state.ts';
import { ownLineKeyOf, putLines } from './sql-line.ts';

export interface LineChanges {
  /** Locked. */
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** Locked: all that cover these lines. */
  readonly caps: readonly CapState[];
}

/** Stores lines. What a line holds more, or less, is held in each cap that covers it. */
export async function changeLines(tx: Transaction, changes: LineChanges): Promise<void> {
  if (changes.after.length === 0) return;
  await putLines(tx, changes.after);
  await changeCaps(tx, capChangesOf(changes));
}

export function capChangesOf({ before, after, caps }: LineChanges): CapChange[] {
  const heldBefore = new Map(before.map((line) => [ownLineKeyOf(line), line.heldMicros]));
  return caps.map((cap) => {
    const covered = after.filter((line) => line.accountId === cap.accountId && coversLine(cap, line));
    const held = covered.reduce((sum, line) => sum + line.heldMicros - (heldBefore.get(ownLineKeyOf(line)) ?? 0n), 0n);
    return { capId: cap.capId, spent: 0n, held };
  });
}
