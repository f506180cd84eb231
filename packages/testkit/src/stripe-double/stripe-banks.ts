import { bookBalance } from './book-balance.ts';
import { decline, paySuccessfully } from './settle-payment.ts';
import { createRefund } from './stripe-payment-endpoints.ts';
import { createStripeId, type DoubleDispute, type DoublePayout, type StripeState } from './stripe-state.ts';
import type { StripeWorld } from './stripe-world.ts';

/** Acts for the parties beyond the API: cardholders' banks, Stripe's staff, the platform's treasurer. */
export interface StripeBanks {
  /** Changes what banks do with a card from now on. A new card has `pay`. */
  answerCard(paymentMethodId: string, answer: 'pay' | 'processing' | { readonly declineCode: string }): void;
  /** Ends a payment that was processing. */
  decidePayment(paymentIntentId: string, decision: 'paid' | 'declined'): void;
  /** Sets the platform's balance in cents, by a top-up or by the reversal of one. */
  setBalance(cents: number): void;
  /** Pays out from the platform's balance to its bank, by hand or by its schedule. Below zero: its bank pays. */
  payOut(cents: number, how?: { readonly feeCents?: number }): string;
  /** The payout fails days later, or is canceled before it leaves: its money comes back. */
  returnPayout(payoutId: string, how?: 'failed' | 'canceled'): void;
  /** Returns the id of the dispute. An inquiry takes no money and may end without effect. */
  dispute(paymentIntentId: string, how?: { readonly amount?: number; readonly isInquiry?: boolean }): string;
  /** A lost dispute may be won later: then its funds are reinstated. */
  decideDispute(disputeId: string, decision: 'won' | 'lost' | 'warning_closed'): void;
  /** Refunds a payment by hand, in the dashboard. Returns the id of the refund, which bears no mark of ours. */
  refundByHand(paymentIntentId: string, amount: number): string;
  /** Takes back a part of a transfer, or all that is left. */
  reverseTransfer(transferId: string, amount?: number): void;
  /** Decides a payout from a connected account: its owner's bank takes it, or refuses it with this code. */
  payOutAccount(accountId: string, failureCode?: string): void;
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
      else decline(world, intent);
    },
    setBalance: (cents) => setBalance(world, cents),
    payOut: (cents, how) => payOut(world, cents, how?.feeCents),
    returnPayout: (payoutId, how) => returnPayout(world, payoutId, how),
    refundByHand: (paymentIntentId, amount) => refundByHand(world, paymentIntentId, amount),
    dispute: (paymentIntentId, how = {}) => openDispute(world, paymentIntentId, how),
    decideDispute: (disputeId, decision) => decideDispute(world, disputeId, decision),
    reverseTransfer: (transferId, amount) => reverseTransfer(world, transferId, amount),
    payOutAccount: (accountId, failureCode) => payOutAccount(world, accountId, failureCode),
    failRefund: (refundId) => failRefund(world, refundId),
  };
}

function setBalance({ state }: StripeWorld, cents: number): void {
  const amount = cents - state.balanceCents;
  if (amount !== 0) bookBalance(state, { type: amount > 0 ? 'topup' : 'topup_reversal', amount, source: null });
}

/** As on the page docs.stripe.com/api/payouts: the balance has paid at once, also while the payout is pending. */
function payOut({ state, happened }: StripeWorld, cents: number, fee = 0): string {
  const id = createStripeId('po');
  const payout: DoublePayout = {
    id,
    object: 'payout',
    created: state.nowSeconds(),
    account: undefined,
    amount: cents,
    currency: 'usd',
    balance_transaction: bookBalance(state, { type: 'payout', amount: -cents, fee, source: id }),
    failure_balance_transaction: null,
    failure_code: null,
    status: 'pending',
  };
  state.payouts.set(id, payout);
  happened('payout.created', { object: payout });
  return id;
}

function returnPayout({ state, happened }: StripeWorld, payoutId: string, how: 'failed' | 'canceled' = 'failed'): void {
  const payout = found(state.payouts, payoutId);
  const type = how === 'failed' ? 'payout_failure' : 'payout_cancel';
  const returned: DoublePayout = {
    ...payout,
    failure_balance_transaction: bookBalance(state, { type, amount: payout.amount, source: payoutId }),
    failure_code: how === 'failed' ? 'account_closed' : null,
    status: how,
  };
  state.payouts.set(payoutId, returned);
  happened(`payout.${how}`, { object: returned });
}

function refundByHand(world: StripeWorld, paymentIntentId: string, amount: number): string {
  return createRefund(world, { payment_intent: paymentIntentId, amount: String(amount) }).id;
}

/** Stripe's fee for each dispute, withdrawn with the disputed amount and not given back. */
const disputeFeeCents = 1_500;

type HowDisputed = Parameters<StripeBanks['dispute']>[1] & {};

function openDispute({ state, happened }: StripeWorld, paymentIntentId: string, how: HowDisputed): string {
  const charge = found(state.charges, found(state.paymentIntents, paymentIntentId).latest_charge ?? '');
  const { amount = charge.amount, isInquiry = false } = how;
  const id = createStripeId('du');
  const withdrawn = isInquiry ? [] : [bookDispute(state, { amount: -amount, fee: disputeFeeCents, source: id })];
  const dispute: DoubleDispute = {
    id,
    object: 'dispute',
    created: state.nowSeconds(),
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: paymentIntentId,
    balance_transactions: withdrawn,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  state.disputes.set(dispute.id, dispute);
  if (!isInquiry) state.charges.set(charge.id, { ...charge, disputed: true });
  happened('charge.dispute.created', { object: dispute });
  if (!isInquiry) happened('charge.dispute.funds_withdrawn', { object: dispute });
  return id;
}

function decideDispute({ state, happened }: StripeWorld, disputeId: string, status: DoubleDispute['status']): void {
  const before = found(state.disputes, disputeId);
  const reinstated = status === 'won' ? [bookDispute(state, { amount: before.amount, fee: 0, source: disputeId })] : [];
  const dispute = { ...before, status, balance_transactions: [...before.balance_transactions, ...reinstated] };
  state.disputes.set(disputeId, dispute);
  happened('charge.dispute.closed', { object: dispute });
  if (status === 'won') happened('charge.dispute.funds_reinstated', { object: dispute });
}

function bookDispute(state: StripeState, booked: { amount: number; fee: number; source: string }) {
  return found(state.balanceTransactions, bookBalance(state, { type: 'adjustment', ...booked }));
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

/** As on the page docs.stripe.com/connect/payouts-connected-accounts: a webhook of the connected account. */
function payOutAccount({ state, happened }: StripeWorld, account: string, failure: string | undefined): void {
  const id = createStripeId('po');
  const status = failure === undefined ? 'paid' : 'failed';
  const facts = { id, object: 'payout', created: state.nowSeconds(), account, amount: 100, currency: 'usd' } as const;
  const unbooked = { balance_transaction: null, failure_balance_transaction: null };
  const payout = { ...facts, ...unbooked, failure_code: failure ?? null, status } as const;
  state.payouts.set(id, payout);
  happened(`payout.${status}`, { object: payout }, account);
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
