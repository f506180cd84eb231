import { randomBytes } from 'node:crypto';

export interface DoubleAccount {
  readonly id: string;
  readonly object: 'account';
  readonly created: number;
  readonly type: string;
  readonly metadata: Record<string, string>;
  capabilities: { transfers: 'active' | 'inactive' };
  details_submitted: boolean;
  payouts_enabled: boolean;
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

/** What Stripe would keep; the newest is last. */
export interface StripeState {
  readonly accounts: Map<string, DoubleAccount>;
  readonly customers: Map<string, DoubleCustomer>;
  readonly paymentMethods: Map<string, DoublePaymentMethod>;
  /** By url. */
  readonly sessions: Map<string, DoubleSession>;
  /** The account of a link, by url. */
  readonly links: Map<string, string>;
  nowSeconds(): number;
}

export function createStripeState(nowMs: () => number): StripeState {
  return {
    accounts: new Map(),
    customers: new Map(),
    paymentMethods: new Map(),
    sessions: new Map(),
    links: new Map(),
    nowSeconds: () => Math.floor(nowMs() / 1_000),
  };
}

export function createStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
