import { bookBalance } from './book-balance.ts';
import { decline, paySuccessfully } from './settle-payment.ts';
import { createStripeId, type DoubleDispute } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

/** Acts for the parties beyond the API: cardholders' banks, Stripe's staff, the platform's treasurer. */
export interface StripeBanks {
  /** Changes what banks do with a card from now on. A new card has `pay`. */
  answerCard(paymentMethodId: string, answer: 'pay' | 'processing' | { readonly declineCode: string }): void;
  /** Ends a payment that was processing. */
  decidePayment(paymentIntentId: string, decision: 'paid' | 'declined'): void;
  /** The platform's balance in cents. */
  setBalance(cents: number): void;
  /** Returns the id of the dispute. An inquiry takes no money and may end without effect. */
  dispute(paymentIntentId: string, how?: { readonly amount?: number; readonly isInquiry?: boolean }): string;
  decideDispute(disputeId: string, decision: 'won' | 'lost' | 'warning_closed'): void;
  /** Takes back a part of a transfer, or all that is left. */
  reverseTransfer(transferId: string, amount?: number): void;
  /** Fails a refund days later: the cardholder's bank did not accept it. */
  failRefund(refundId: string): void;
}

export function createStripeBanks(world: StripeWorld): StripeBanks {
  const { state } = world;
  return {
    answerCard(paymentMethodId, answer) {
      if (answer === 'pay') state.cardAnswers.delete(paymentMethodId);
      else state.cardAnswers.set(paymentMethodId, answer);
    },
    decidePayment(paymentIntentId, decision) {
      const intent = found(state.paymentIntents, paymentIntentId);
      if (intent.status !== 'processing') throw new Error(`${paymentIntentId} is ${intent.status}`);
      if (decision === 'paid') paySuccessfully(world, intent);
      else decline(world, intent, 'card_declined');
    },
    setBalance: (cents) => void (state.balanceCents = cents),
    dispute: (paymentIntentId, how = {}) => openDispute(world, paymentIntentId, how),
    decideDispute: (disputeId, decision) => decideDispute(world, disputeId, decision),
    reverseTransfer: (transferId, amount) => reverseTransfer(world, transferId, amount),
    failRefund: (refundId) => failRefund(world, refundId),
  };
}

type HowDisputed = Parameters<StripeBanks['dispute']>[1] & {};

function openDispute({ state, happened }: StripeWorld, paymentIntentId: string, how: HowDisputed): string {
  const charge = found(state.charges, found(state.paymentIntents, paymentIntentId).latest_charge ?? '');
  const { amount = charge.amount, isInquiry = false } = how;
  const dispute: DoubleDispute = {
    id: createStripeId('du'),
    object: 'dispute',
    created: state.nowSeconds(),
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: paymentIntentId,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  state.disputes.set(dispute.id, dispute);
  if (!isInquiry) {
    state.charges.set(charge.id, { ...charge, disputed: true });
    bookBalance(state, { type: 'adjustment', amount: -amount, source: dispute.id });
  }
  happened('charge.dispute.created', { object: dispute });
  return dispute.id;
}

function decideDispute({ state, happened }: StripeWorld, disputeId: string, status: DoubleDispute['status']): void {
  const dispute = { ...found(state.disputes, disputeId), status };
  state.disputes.set(disputeId, dispute);
  if (status === 'won') bookBalance(state, { type: 'adjustment', amount: dispute.amount, source: disputeId });
  happened('charge.dispute.closed', { object: dispute });
}

function reverseTransfer({ state, happened }: StripeWorld, transferId: string, part: number | undefined): void {
  const transfer = found(state.transfers, transferId);
  const amount = part ?? transfer.amount - transfer.amount_reversed;
  const amount_reversed = transfer.amount_reversed + amount;
  bookBalance(state, { type: 'transfer_refund', amount, source: transferId });
  const reversed = { ...transfer, amount_reversed, reversed: amount_reversed === transfer.amount };
  state.transfers.set(transferId, reversed);
  happened('transfer.reversed', { object: reversed });
}

function failRefund({ state, happened }: StripeWorld, refundId: string): void {
  const refund = found(state.refunds, refundId);
  const booking = { type: 'refund_failure', amount: refund.amount, source: refundId } as const;
  const failed = {
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: bookBalance(state, booking),
  } as const;
  state.refunds.set(refundId, failed);
  happened('refund.failed', { object: failed });
}

function found<Kept>(kept: ReadonlyMap<string, Kept>, id: string): Kept {
  const object = kept.get(id);
  if (object === undefined) throw new Error(`there is no ${id}`);
  return object;
}
