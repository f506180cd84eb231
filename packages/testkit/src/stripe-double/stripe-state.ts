import { randomBytes } from 'node:crypto';

export interface DoubleAccount {
  readonly id: string;
  readonly object: 'account';
  readonly created: number;
  readonly type: string;
  readonly metadata: Record<string, string>;
  readonly country: string;
  requirements: { currently_due: readonly string[]; past_due: readonly string[]; disabled_reason: string | null };
  readonly tos_acceptance: { readonly service_agreement: 'full' | 'recipient' };
  capabilities: { transfers: 'active' | 'inactive' };
  details_submitted: boolean;
  payouts_enabled: boolean;
}

/** A payout from an account to its owner's bank. */
export interface DoublePayout {
  readonly id: string;
  readonly object: 'payout';
  readonly created: number;
  /** The connected account; undefined for the platform itself. */
  readonly account: string | undefined;
  readonly amount: number;
  readonly currency: string;
  /** The transaction on the platform's balance, which is known for its own payouts alone. */
  readonly balance_transaction: string | null;
  readonly failure_balance_transaction: string | null;
  readonly failure_code: string | null;
  readonly status: 'pending' | 'paid' | 'failed' | 'canceled';
}

export interface DoubleCustomer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly metadata: Record<string, string>;
}

export interface DoublePaymentMethod {
  readonly id: string;
  readonly object: 'payment_method';
  readonly created: number;
  readonly type: 'card';
  readonly card: { brand: string; last4: string; exp_month: number; exp_year: number };
  customer: string | null;
}

export interface DoubleSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly created: number;
  readonly mode: 'setup';
  readonly customer: string;
  readonly url: string;
  readonly expires_at: number;
  status: 'open' | 'complete';
}

export interface DoublePaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly created: number;
  readonly amount: number;
  readonly currency: 'usd';
  readonly customer: string;
  readonly metadata: Record<string, string>;
  readonly payment_method: string | null;
  readonly latest_charge: string | null;
  readonly last_payment_error: {
    readonly code: string;
    readonly type: 'card_error';
    readonly decline_code: string;
  } | null;
  readonly cancellation_reason: string | null;
  readonly status: 'requires_payment_method' | 'processing' | 'canceled' | 'succeeded';
}

export interface DoubleCharge {
  readonly id: string;
  readonly object: 'charge';
  readonly created: number;
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: 'usd';
  readonly customer: string;
  readonly payment_intent: string;
  readonly balance_transaction: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly failure_code: string | null;
  readonly outcome: { readonly type: 'issuer_declined'; readonly reason: string } | null;
  readonly refunded: boolean;
  readonly disputed: boolean;
}

export interface DoubleBalanceTransaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly created: number;
  readonly type:
    | 'charge'
    | 'refund'
    | 'refund_failure'
    | 'transfer'
    | 'transfer_refund'
    | 'adjustment'
    | 'payout'
    | 'payout_cancel'
    | 'payout_failure'
    | 'topup'
    | 'topup_reversal';
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  /** In which the platform settles. */
  readonly currency: string;
  readonly exchange_rate: number | null;
  /** Null for what Stripe does with no object of its own. */
  readonly source: string | null;
}

export interface DoubleRefund {
  readonly id: string;
  readonly object: 'refund';
  readonly created: number;
  readonly amount: number;
  readonly currency: 'usd';
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
  readonly balance_transaction: string;
  readonly failure_balance_transaction?: string;
  readonly failure_reason?: string;
  readonly status: 'succeeded' | 'failed';
}

export interface DoubleTransfer {
  readonly id: string;
  readonly object: 'transfer';
  readonly created: number;
  readonly amount: number;
  readonly amount_reversed: number;
  readonly currency: 'usd';
  readonly destination: string;
  readonly transfer_group: string | null;
  readonly metadata: Record<string, string>;
  readonly balance_transaction: string;
  readonly reversed: boolean;
}

export interface DoubleDispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly created: number;
  readonly amount: number;
  readonly currency: 'usd';
  readonly charge: string;
  readonly payment_intent: string;
  /** The money that was withdrawn and given back. An inquiry has none. */
  readonly balance_transactions: readonly DoubleBalanceTransaction[];
  readonly status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'under_review' | 'won' | 'lost';
}

export type StripeState = ReturnType<typeof createStripeState>;

/** The objects that Stripe would keep; the newest is last. */
export function createStripeState(nowMs: () => number) {
  return {
    /** The platform itself, as Stripe's staff and the operator have set it up. */
    platform: {
      country: 'US',
      isApprovedForTransfers: true,
      payoutInterval: 'manual' as 'manual' | 'daily',
      /** Stripe's fee on a refund, in US cents. Most platforms have none. */
      refundFeeCents: 0,
      minimumBalance: null as Record<string, number> | null,
      /** Charges settle in this currency: so many of its cents for a US cent. */
      settlement: { currency: 'usd', rate: 1 },
    },
    accounts: new Map<string, DoubleAccount>(),
    payouts: new Map<string, DoublePayout>(),
    customers: new Map<string, DoubleCustomer>(),
    paymentMethods: new Map<string, DoublePaymentMethod>(),
    /** The sessions by their URL. */
    sessions: new Map<string, DoubleSession>(),
    /** The account of a link, by url. */
    links: new Map<string, string>(),
    paymentIntents: new Map<string, DoublePaymentIntent>(),
    charges: new Map<string, DoubleCharge>(),
    balanceTransactions: new Map<string, DoubleBalanceTransaction>(),
    refunds: new Map<string, DoubleRefund>(),
    transfers: new Map<string, DoubleTransfer>(),
    disputes: new Map<string, DoubleDispute>(),
    /** The banks' answer to a card that does not pay: a decline code, or no answer for now. */
    cardAnswers: new Map<string, { readonly declineCode: string } | 'processing'>(),
    /** The platform's balance in cents. Transfers and refunds are taken from it. */
    balanceCents: 0,
    nowSeconds: () => Math.floor(nowMs() / 1_000),
  };
}

export function createStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
