import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { ProcessorDispute } from '../processor.ts';
import { addSandboxEvent } from './add-sandbox-event.ts';
import { lockSandboxCharge } from './lock-sandbox-charge.ts';
import { disputeColumns, toDispute, type DisputeRow } from './sandbox-dispute-row.ts';
import { createSandboxId } from './sandbox-id.ts';

/** The bank of those who pay through the sandbox. */
export interface SandboxBank {
  /** Opens a dispute and decides it at once; told by webhook. Undefined: the charge has less left than that. */
  dispute(order: DisputeOrder): Promise<ProcessorDispute | undefined>;
}

export interface DisputeOrder {
  readonly chargeObjectId: string;
  readonly amountCents: bigint;
  readonly outcome: 'won' | 'lost';
}

export interface SandboxBankOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** There is something to tell by webhook. */
  readonly onEvent: () => void;
}

const insertText = `
insert into sandbox.dispute (dispute_id, charge_id, amount_cents, status, created_at) values ($1, $2, $3, $4, $5)
returning ${disputeColumns}`;

/** Refunds and disputes take of the same charge, never more than there is. */
export function createSandboxBank({ database, clock, onEvent }: SandboxBankOptions): SandboxBank {
  return {
    async dispute({ chargeObjectId, amountCents, outcome }) {
      const atMs = clock.now();
      const row = await database.transaction(async (tx) => {
        const charge = await lockSandboxCharge(tx, chargeObjectId);
        if (!charge || charge.leftCents < amountCents) return undefined;
        const values = [createSandboxId('dp'), chargeObjectId, amountCents, outcome, toIso(atMs)];
        const opened = onlyRow(await tx.query<DisputeRow>(insertText, values));
        for (const type of ['dispute.opened', 'dispute.closed'])
          await addSandboxEvent(tx, { type, objectId: opened.dispute_id, atMs });
        return opened;
      });
      onEvent();
      return row && toDispute(row);
    },
  };
}
