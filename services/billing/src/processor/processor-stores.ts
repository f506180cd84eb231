import type { PaymentMethod, PayoutAccountStatus } from './processor.ts';

export interface ConnectedAccount extends PayoutAccountStatus {
  readonly processorAccountId: string;
  readonly isDisconnected: boolean;
}

/** What is known of builders' payout accounts at the processor of this store. */
export interface ConnectedAccountStore {
  find(accountId: string): Promise<ConnectedAccount | undefined>;
  /** The first one stands if two come at once. */
  add(accountId: string, processorAccountId: string): Promise<void>;
  /** The one that is gone at the processor, by one that is not onboarded yet. Does nothing where that was done. */
  replace(goneAccountId: string, processorAccountId: string): Promise<void>;
  /** Does nothing where there is none. Safe to repeat. */
  setDisconnected(accountId: string, disconnection: 'disconnected' | 'connected'): Promise<void>;
  /**
   * Replaces the status by what `read` finds, while nobody else can: two who read at once could otherwise store what they
   * found in the other order, and the older would stay. Does nothing for an account that is not ours. Safe to repeat.
   */
  refresh(processorAccountId: string, read: () => Promise<PayoutAccountStatus>): Promise<void>;
}

export interface KnownCustomer {
  readonly processorCustomerId: string;
  readonly paymentMethod: PaymentMethod | undefined;
}

/** What is known of consumers at the processor of this store. */
export interface CustomerStore {
  find(accountId: string): Promise<KnownCustomer | undefined>;
  /** The first one stands if two come at once. */
  add(accountId: string, processorCustomerId: string): Promise<void>;
  /** Replaces the payment method by what `read` finds; as with accounts. Calls the hook for a new one. */
  refresh(processorCustomerId: string, read: () => Promise<PaymentMethod | undefined>): Promise<void>;
}
