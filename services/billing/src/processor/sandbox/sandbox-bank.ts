import { toIso, type Clock } from '@tollgate/kernel/clock';
import { onlyRow, type Database } from '@tollgate/database/database';
import type { ProcessorDispute } from '../processor.ts';
import { addSandboxEvent } from './add-sandbox-event.ts';
import { lockSandboxCharge } from './lock-sandbox-charge.ts';
import { disputeColumns, toDispute, type DisputeRow } from './sandbox-dispute-row.ts';
import { createSandboxId } from './sandbox-id.ts';

/** The bank of the consumers who pay through the sandbox. */
export interface SandboxBank {
  /** Opens a dispute and decides it at once; webhooks follow. Undefined if less than that is left of the charge. */
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
  /** Called when there is an event to send. */
  readonly onEvent: () => void;
}

const insertText = `
insert into sandbox.dispute (dispute_id, charge_id, amount_cents, status, created_at) values ($1, $2, $3, $4, $5)
returning ${disputeColumns}`;

/** Refunds and disputes lock the charge, so together they never take more than its amount. */
export function createSandboxBank({ database, clock, onEvent }: SandboxBankOptions): SandboxBank {
  return {
    async dispute({ chargeObjectId, amountCents, outcome }) {
      const atMs = clock.now();
      const row = await database.transaction(async (tx) => {
        const charge = await lockSandboxCharge(tx, chargeObjectId, atMs);
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
