/**
 * The payment processor as billing needs it, whoever it is. Its contract suite is `testing/processor.contract.ts`.
 *
 * Of every method: `unavailable` means that the outcome is unknown and may be what was asked for. Repeating is safe, with
 * the same key where there is one: a processor answers a repeated key with what the first call made, for 24 hours at least.
 * `not_found` means that the processor has no such object, for good. A key used for something else is a bug (`conflict`).
 */
export interface Processor {
  /** As it stands in the database: rows of one processor are none of another's business. */
  readonly name: string;
  readonly payoutAccounts: PayoutAccounts;
  readonly customers: Customers;
  /** Money from a customer to us, off-session. */
  readonly charges: Movements<ChargeOrder>;
  /** Money of a charge back to its customer. */
  readonly refunds: Movements<RefundOrder>;
  /** Money from us to a payout account. */
  readonly transfers: Movements<TransferOrder>;
  readonly disputes: Disputes;
}

/** Where builders' money goes. The accounts are their owners', and outlive what billing knows of them. */
export interface PayoutAccounts {
  /** One account a key. `reference` is the owner's account with us, for those who look at it on the processor's side. */
  create(account: KeyedObject): Promise<{ readonly processorAccountId: string }>;
  /** A page on which its owner goes through onboarding, or mends it. Each call makes another link; all of them work. */
  createLink(link: { readonly processorAccountId: string; readonly returnUrl: string }): Promise<HostedLink>;
  /** What the processor holds now; what was completed before the call is in it. */
  read(processorAccountId: string): Promise<PayoutAccountStatus>;
}

/** Who can be charged, and by what. */
export interface Customers {
  /** One customer a key. */
  create(customer: KeyedObject): Promise<{ readonly processorCustomerId: string }>;
  /** A page on which the customer enters a payment method; completed, it takes the place of the one before. */
  createSetupLink(link: { readonly processorCustomerId: string; readonly returnUrl: string }): Promise<HostedLink>;
  /** The payment method on file now, if any; what was completed before the call is in it. */
  readPaymentMethod(processorCustomerId: string): Promise<PaymentMethod | undefined>;
  /** Resolved: there is none on file. Also when there was none. */
  removePaymentMethods(processorCustomerId: string): Promise<void>;
}

export interface KeyedObject {
  /** Made from what it is for, so that it is the same after a crash and needs no place of its own. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

export interface HostedLink {
  /** Absolute; or a path here, for the pages that we serve ourselves. */
  readonly url: string;
  readonly expiresAtMs: number;
}

export interface PayoutAccountStatus {
  /** The owner has gone through onboarding, whatever came of it. */
  readonly areDetailsSubmitted: boolean;
  readonly arePayoutsEnabled: boolean;
}

export interface PaymentMethod {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** One kind of money movement. Ids of objects are the processor's; `attemptId` is ours, kept with the object there. */
export interface Movements<Order extends MovementOrder> {
  /** Resolved: what came of it, a refusal included (`failed`). `unavailable`: the outcome is unknown. Safe to repeat. */
  create(order: Order): Promise<Movement>;
  /**
   * All that was made for the order's invoice, refund or payout, by this attempt or another; found without their keys, which
   * processors forget after a day. As with `create`, what failed has been brought to an end: nobody can pay it any more.
   */
  findAll(order: Order): Promise<readonly MadeMovement[]>;
  /** As it stands now. `not_found` where there is no such object. */
  read(objectId: string): Promise<Movement>;
  /** All that were made in the window `[sinceMs, untilMs)`, also those that are not ours; in no order. */
  list(window: TimeWindow): AsyncIterable<MadeMovement>;
}

export interface MovementOrder {
  readonly attemptId: string;
  /** Covers the amount: the same key with another amount is a bug that the processor refuses (`conflict`). */
  readonly idempotencyKey: string;
  /** Above zero. */
  readonly amountCents: bigint;
}

export interface ChargeOrder extends MovementOrder {
  readonly processorCustomerId: string;
  readonly paymentMethodId: string;
  readonly invoiceId: string;
}

export interface RefundOrder extends MovementOrder {
  readonly chargeObjectId: string;
  readonly refundId: string;
}

export interface TransferOrder extends MovementOrder {
  readonly processorAccountId: string;
  readonly payoutId: string;
}

/** `reversed`: it had succeeded, and its money came back whole. */
export type MovementStatus = 'pending' | 'succeeded' | 'failed' | 'reversed';

export interface Movement {
  /** Undefined where the processor refused to make an object at all. */
  readonly objectId: string | undefined;
  /** Undefined: not made by us. */
  readonly attemptId: string | undefined;
  readonly amountCents: bigint;
  readonly status: MovementStatus;
  /**
   * Of one that failed: the processor's word, or one of `FailureCode`, which billing acts on. `reversed_in_part`: it has
   * succeeded, and a part of its money came back; billing takes no parts back, so whoever did must put it right.
   */
  readonly failureCode: FailureCode | (string & {}) | undefined;
  /** What the processor kept for itself; known once it has succeeded. */
  readonly feeCents: bigint;
  readonly createdAtMs: number;
}

export type MadeMovement = Movement & { readonly objectId: string };

/**
 * `insufficient_funds_of_platform`: our balance there is too small for a transfer; it will do later.
 * `account_unavailable`: the payout account takes no transfers now.
 */
export type FailureCode = 'declined' | 'insufficient_funds_of_platform' | 'account_unavailable';

export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A customer's bank wants a charge back. The processor decides, we learn of it. */
export interface Disputes {
  read(disputeObjectId: string): Promise<ProcessorDispute>;
  /** All that were opened in the window; in no order. */
  list(window: TimeWindow): AsyncIterable<ProcessorDispute>;
}

export interface ProcessorDispute {
  readonly objectId: string;
  readonly chargeObjectId: string;
  readonly amountCents: bigint;
  readonly status: 'open' | 'won' | 'lost';
  readonly createdAtMs: number;
}
