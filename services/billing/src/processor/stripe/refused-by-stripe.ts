import { CallRefused } from '../processor.ts';

export interface StripeRefusalFacts {
  readonly code: string;
  /** The payment, if Stripe created one before refusing it. */
  readonly objectId: string | undefined;
}

/** Stripe understood the call and refuses it. No money moved, and repeating would not help. */
export class RefusedByStripe extends CallRefused {
  override readonly name = 'RefusedByStripe';
  readonly facts: StripeRefusalFacts;

  constructor(facts: StripeRefusalFacts, { endpoint, detail }: { endpoint: string; detail: object }) {
    super(`Stripe refuses ${endpoint}`, detail);
    this.facts = facts;
  }
}
