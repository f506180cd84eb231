import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { ProcessorDispute } from '../processor/processor.ts';

/** Exactly one of them, if the charge is ours. */
interface DisputedDocument {
  readonly invoiceId?: string | undefined;
  readonly topUpId?: string | undefined;
}

export function toApiDispute(dispute: ProcessorDispute, { invoiceId, topUpId }: DisputedDocument) {
  return {
    id: dispute.objectId,
    invoice_id: invoiceId ?? null,
    top_up_id: topUpId ?? null,
    amount_usd: toUsdNumber(centsToMicros(dispute.amountCents)),
    fee_usd: toUsdNumber(centsToMicros(dispute.feeCents)),
    outcome: dispute.status === 'open' ? ('needs_response' as const) : dispute.status,
    created_at: toIso(dispute.createdAtMs),
  };
}
