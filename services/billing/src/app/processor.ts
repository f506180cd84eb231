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
