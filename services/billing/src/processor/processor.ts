import { AppError, isAppError } from '@tollgate/kernel/app-error';
import type { Notice } from './webhook-ports.ts';

/**
 * The payment processor, as billing needs it. Both adapters pass `services/billing/test/support/processor.contract.ts`.
 *
 * Each method may throw these errors. `unavailable`: the outcome is unknown, and the call may have had its effect.
 * Repeating it is safe, with the same key where there is one. A processor answers a repeated key with the result of the
 * first call, for at least 24 hours. `not_found`: the processor has no such object, for good. `idempotency_key_reused`: the key was
 * used for something else, which is a bug. `CallRefused`: the processor refuses the call itself. After the last three,
 * this call has had no effect for certain.
 */
export interface Processor {
  /** The name in our database. Rows of one processor mean nothing to another. */
  readonly name: string;
  readonly payoutAccounts: PayoutAccounts;
  readonly customers: Customers;
  /** Money from a customer to us, without the customer present. */
  readonly charges: Movements<ChargeOrder>;
  /** Money of a charge back to its customer. */
  readonly refunds: Movements<RefundOrder>;
  /** Money from us to a payout account. */
  readonly transfers: Movements<TransferOrder>;
  readonly disputes: Disputes;
  readonly ownPayouts: OwnPayouts;
  readonly events: ProcessorEvents;
  /** Reads the money that the processor holds for us now. */
  readBalance(): Promise<ProcessorBalance>;
  /** Finds what is set up at the processor so that builders cannot be paid. */
  findSetupProblems(): Promise<readonly SetupProblem[]>;
}

export interface SetupProblem {
  readonly code: 'automatic_payouts' | 'other_currency';
  /** Says what the operator has to do. */
  readonly message: string;
}

export interface ProcessorBalance {
  /** All money that it holds for us, available or not yet, less what we owe it. */
  readonly heldCents: bigint;
  /**
   * The part that billing does not book: the platform's own deposits, reserves, and fees that concern no movement and no
   * dispute. So `heldCents - ownCents` is the ledger's cash.
   */
  readonly ownCents: bigint;
  /** Other currencies in which it holds money for us. That money is in none of the sums, which are US dollars. */
  readonly otherCurrencies: readonly string[];
}

/** A payout account or a customer with its reference, by which the processor's side says whose it is. */
export interface OwnedObject {
  readonly objectId: string;
  /** Undefined if we did not create it. */
  readonly reference: string | undefined;
}

/**
 * The processor refuses the call itself, such as for a wrong secret. The caller cannot correct it; the message says
 * what the operator has to do. The detail is for the log. Nothing moved.
 */
export class CallRefused extends AppError {
  constructor(message: string, detail: object) {
    super('processor_refused', message, { detail });
  }
}

/** Says whether the outcome of a call is unknown, because the processor did not answer. */
export function isUnanswered(error: unknown): boolean {
  return isAppError(error, 'unavailable') && !(error instanceof CallRefused);
}

/** The accounts to which builders are paid. They belong to their owners, and stay when billing forgets them. */
export interface PayoutAccounts {
  /**
   * Creates one account per key. `reference` is the owner's account with us, for people who look at it on the
   * processor's side.
   */
  create(account: KeyedAccount): Promise<{ readonly processorAccountId: string }>;
  /**
   * Creates a link to a page on which the owner completes or changes its onboarding. Each call creates another link;
   * all of them work.
   */
  createLink(link: { readonly processorAccountId: string; readonly returnUrl: string }): Promise<HostedLink>;
  /**
   * Creates a link to the pages on which an owner who has completed onboarding sees its payouts. `ownAddress` is where
   * pages that we serve ourselves lead back to.
   */
  createLoginLink(link: { readonly processorAccountId: string; readonly ownAddress: string }): Promise<string>;
  /** Reads the status now. Everything completed before the call is in it. */
  read(processorAccountId: string): Promise<PayoutAccountStatus>;
  /** Lists all accounts that exist, in no order. */
  listOwned(): AsyncIterable<OwnedObject>;
}

export interface SetupLink {
  readonly processorCustomerId: string;
  readonly returnUrl: string;
  /** The customer must confirm at its bank, because a charge was declined for that reason. Default: as the bank wants. */
  readonly confirms?: boolean;
}

/** The customers that we charge, with their payment methods. */
export interface Customers {
  /** Creates one customer per key. */
  create(customer: KeyedObject): Promise<{ readonly processorCustomerId: string }>;
  /**
   * Creates a link to a page on which the customer enters a payment method. A completed entry replaces the one before.
   */
  createSetupLink(link: SetupLink): Promise<HostedLink>;
  /** Reads the payment method on file, if any. Everything completed before the call is in it. */
  readPaymentMethod(processorCustomerId: string): Promise<PaymentMethod | undefined>;
  /** Removes all payment methods. When it resolves, none is on file. Safe to repeat. */
  removePaymentMethods(processorCustomerId: string): Promise<void>;
  /** Lists all customers that exist, in no order. */
  listOwned(): AsyncIterable<OwnedObject>;
}

export interface KeyedObject {
  /** Derived from the purpose, so that it is the same after a crash and need not be stored. */
  readonly idempotencyKey: string;
  readonly reference: string;
}

export interface KeyedAccount extends KeyedObject {
  /** Where the owner lives, as ISO 3166-1. It cannot change later. The platform's country if not given. */
  readonly country?: string | undefined;
}

export interface HostedLink {
  /** An absolute address, or a path for pages that we serve ourselves. */
  readonly url: string;
  readonly expiresAtMs: number;
}

export interface PayoutAccountStatus {
  /** The owner has completed onboarding, whatever the result. */
  readonly areDetailsSubmitted: boolean;
  readonly arePayoutsEnabled: boolean;
  /** Names of the facts that the processor still wants of the owner; none if not given. */
  readonly requirements?: readonly string[];
  /** Why the processor disabled the account, in its words. */
  readonly disabledReason?: string | undefined;
  /** The last payout from the account to its owner's bank, if the bank refused it. */
  readonly bankFailure?: BankFailure | undefined;
}

export interface BankFailure {
  /** The processor's code, such as `account_closed`. */
  readonly code: string;
  readonly atMs: number;
}

export interface PaymentMethod {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/** The most that a processor takes in one charge: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts has eight digits. */
export const chargeCentsMax = 99_999_999n;

/** The most that one invoice is charged: 101 charges, each of which is looked up among all of them, and may be refunded. */
export const collectCentsMax = 9_999_999_999n;

/**
 * One kind of movement. Object ids are the processor's; `attemptId` is ours, and the processor keeps it with the
 * object.
 */
export interface Movements<Order extends MovementOrder> {
  /**
   * Gives an order. Resolves with its movement, also when the processor refuses it (`failed`). `unavailable` means that
   * the outcome is unknown. Safe to repeat.
   */
  create(order: Order): Promise<Movement>;
  /**
   * Finds all movements of the order's invoice, top-up, refund or payout, of this attempt and of others. It searches without
   * keys, since processors forget keys after a day. As with `create`, a failed movement is final: nobody can pay it any
   * more.
   */
  findAll(order: Order): Promise<readonly ExistingMovement[]>;
  /** Reads a movement as it is now. `not_found` if there is no such object. */
  read(objectId: string): Promise<ExistingMovement>;
  /** Lists all movements created in the window `[sinceMs, untilMs)`, also those that are not ours, in no order. */
  list(window: TimeWindow): AsyncIterable<ExistingMovement>;
}

export interface MovementOrder {
  readonly attemptId: string;
  /** It covers the amount. A processor refuses the same key with another amount, which is a bug (`conflict`). */
  readonly idempotencyKey: string;
  /** Whole cents, above zero. */
  readonly amountCents: bigint;
}

/** It pays an invoice or a top-up. */
export type ChargeOrder = MovementOrder & {
  readonly processorCustomerId: string;
  readonly paymentMethodId: string;
} & (
    | { readonly invoiceId: string; readonly topUpId?: never }
    | { readonly topUpId: string; readonly invoiceId?: never }
  );

export interface RefundOrder extends MovementOrder {
  readonly chargeObjectId: string;
  readonly refundId: string;
}

export interface TransferOrder extends MovementOrder {
  readonly processorAccountId: string;
  readonly payoutId: string;
}

/** `reversed`: it succeeded, and later all of its money came back. */
export type MovementStatus = 'pending' | 'succeeded' | 'failed' | 'reversed';

export interface Movement {
  /** Undefined if the processor refused to create an object. */
  readonly objectId: string | undefined;
  /** Undefined if the movement is not ours. */
  readonly attemptId: string | undefined;
  readonly amountCents: bigint;
  readonly status: MovementStatus;
  /** Why it failed: the processor's code, or a `FailureCode`, on which billing acts. */
  readonly failureCode: FailureCode | (string & {}) | undefined;
  /** The processor's fee; known once the movement has succeeded. */
  readonly feeCents: bigint;
  readonly createdAtMs: number;
}

export interface ExistingMovement extends Movement {
  readonly objectId: string;
  /** The customer who paid, the charge that was refunded, or the payout account. Undefined if it has none. */
  readonly partyId: string | undefined;
  /** In small letters, as `usd`. */
  readonly currency: string;
  /** The part of a transfer that came back, in cents: all of it if it is `reversed`. */
  readonly returnedCents: bigint;
}

/**
 * `insufficient_funds_of_platform`: our balance at the processor is too small for a transfer; a later one may succeed.
 * `account_unavailable`: the payout account takes no transfers now.
 */
export type FailureCode = 'declined' | 'insufficient_funds_of_platform' | 'account_unavailable';

export interface TimeWindow {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Disputes, in which a customer's bank wants a charge back. The processor decides them, and we only read. */
export interface Disputes {
  /** Reads a dispute as it is now. `not_found` if there is no such object. */
  read(disputeObjectId: string): Promise<ProcessorDispute>;
  /** Lists all disputes opened in the window, in no order. */
  list(window: TimeWindow): AsyncIterable<ProcessorDispute>;
}

export interface ProcessorDispute {
  readonly objectId: string;
  readonly chargeObjectId: string;
  readonly amountCents: bigint;
  readonly status: 'open' | 'won' | 'lost';
  /** The money that the processor has withdrawn and not given back. An open dispute may have it withdrawn too. */
  readonly takenCents: bigint;
  /** The processor's fee on the dispute. */
  readonly feeCents: bigint;
  readonly createdAtMs: number;
}

/** Payouts of our own balance to our bank. We make them at the processor, or its schedule does; billing only reads them. */
export interface OwnPayouts {
  /** Reads a payout as it is now. `not_found` if there is no such object. */
  read(objectId: string): Promise<OwnPayout>;
  /** Lists all payouts made in the window, in no order. */
  list(window: TimeWindow): AsyncIterable<OwnPayout>;
}

export interface OwnPayout {
  readonly objectId: string;
  /** Below zero if the processor took money from our bank. */
  readonly amountCents: bigint;
  /** In small letters, as `usd`. */
  readonly currency: string;
  /** The amount that has left our balance for it and has not come back: 0 if the bank returned it. */
  readonly takenCents: bigint;
  /** The processor's fee, which our balance paid beside it. */
  readonly feeCents: bigint;
  readonly createdAtMs: number;
}

/** The events at the processor. A webhook reports each. */
export interface ProcessorEvents {
  /**
   * The time whose events the processor still has, and whose webhooks are no longer expected. Outside it, a difference from what
   * we received says nothing.
   */
  comparableTime(): TimeWindow;
  /** Says whether `list` has the event of this webhook, if it is of that time and the processor made it. */
  lists(received: Pick<Notice, 'type' | 'object'>): boolean;
  /** Lists the events made in the window whose webhooks billing wants, in no order. */
  list(window: TimeWindow): AsyncIterable<ProcessorEvent>;
}

export interface ProcessorEvent {
  readonly eventId: string;
  readonly type: string;
  /** In whole seconds, as its webhook says. */
  readonly createdAtMs: number;
  /** Its webhook was not sent yet. */
  readonly isUnsent: boolean;
}
