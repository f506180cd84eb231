import {
  chargeCentsMax,
  type ChargeOrder,
  type FailureCode,
  type RefundOrder,
  type TransferOrder,
} from '../processor.ts';
import { lockSandboxCharge } from './lock-sandbox-charge.ts';
import { decliningLast4 } from './sandbox-cards.ts';
import { sandboxFee } from './sandbox-fee.ts';
import { lockMovedFunds } from './sandbox-funds.ts';
import type { MovementRules } from './sandbox-movements.ts';

const findCardText = `select last4 from sandbox.customer where customer_id = $1 and payment_method_id = $2`;

const isEnabledText = `select 1 from sandbox.account where account_id = $1 and payouts_enabled`;

export const chargeRules: MovementRules<ChargeOrder> = {
  kind: 'charge',
  idPrefix: 'ch',
  partiesOf: ({ invoiceId, topUpId, processorCustomerId, paymentMethodId }) => ({
    subjectId: topUpId ?? invoiceId,
    partyId: processorCustomerId,
    paymentMethodId,
  }),
  async refuse(tx, { processorCustomerId, paymentMethodId, amountCents }) {
    if (amountCents > chargeCentsMax) return 'amount_too_large';
    const [card] = await tx.query<{ last4: string }>(findCardText, [processorCustomerId, paymentMethodId]);
    if (!card) return 'payment_method_unavailable';
    return card.last4 === decliningLast4 ? 'declined' : undefined;
  },
  feeCentsOf: ({ amountCents }) => sandboxFee(amountCents),
};

export const refundRules: MovementRules<RefundOrder> = {
  kind: 'refund',
  idPrefix: 're',
  partiesOf: ({ refundId, chargeObjectId }) => ({ subjectId: refundId, partyId: chargeObjectId }),
  alsoFor: async (tx, { chargeObjectId }, nowMs) => (await lockSandboxCharge(tx, chargeObjectId, nowMs))?.subjectId,
  async refuse(tx, { chargeObjectId, amountCents }, nowMs) {
    const charge = await lockSandboxCharge(tx, chargeObjectId, nowMs);
    if (!charge) return 'charge_unavailable';
    return amountCents > charge.leftCents ? 'amount_too_large' : undefined;
  },
  feeCentsOf: () => 0n,
};

/** Transfers are paid from the platform's balance: `fundsCents` that it has deposited, and all that moved. */
export const createTransferRules = (fundsCents: bigint): MovementRules<TransferOrder> => ({
  kind: 'transfer',
  idPrefix: 'tr',
  partiesOf: ({ payoutId, processorAccountId }) => ({ subjectId: payoutId, partyId: processorAccountId }),
  async refuse(tx, { processorAccountId, amountCents }, nowMs) {
    const isEnabled = (await tx.query(isEnabledText, [processorAccountId])).length > 0;
    if (!isEnabled) return 'account_unavailable';
    const heldCents = fundsCents + (await lockMovedFunds(tx, nowMs));
    return amountCents > heldCents ? insufficientFunds : undefined;
  },
  feeCentsOf: () => 0n,
});

const insufficientFunds: FailureCode = 'insufficient_funds_of_platform';
