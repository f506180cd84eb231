import type { ProcessorDispute } from '../processor.ts';

export const disputeColumns = 'dispute_id, charge_id, amount_cents, fee_cents, status, created_at';

export interface DisputeRow {
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly amount_cents: bigint;
  readonly fee_cents: bigint;
  readonly status: 'open' | 'won' | 'lost';
  readonly created_at: Date;
}

export function toDispute(row: DisputeRow): ProcessorDispute {
  return {
    objectId: row.dispute_id,
    chargeObjectId: row.charge_id,
    amountCents: row.amount_cents,
    status: row.status,
    takenCents: row.status === 'won' ? 0n : row.amount_cents,
    feeCents: row.fee_cents,
    createdAtMs: row.created_at.getTime(),
  };
}
