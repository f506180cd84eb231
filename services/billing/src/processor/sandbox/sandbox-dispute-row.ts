import type { ProcessorDispute } from '../processor.ts';

export const disputeColumns = 'dispute_id, charge_id, amount_cents, status, created_at';

export interface DisputeRow {
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly amount_cents: bigint;
  readonly status: 'won' | 'lost';
  readonly created_at: Date;
}

export function toDispute(row: DisputeRow): ProcessorDispute {
  return {
    objectId: row.dispute_id,
    chargeObjectId: row.charge_id,
    amountCents: row.amount_cents,
    status: row.status,
    takenCents: row.status === 'lost' ? row.amount_cents : 0n,
    feeCents: 0n,
    createdAtMs: row.created_at.getTime(),
  };
}
