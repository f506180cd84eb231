export interface StripeRefusalFacts {
  readonly code: string;
  /** The payment, if Stripe created one before refusing it. */
  readonly objectId: string | undefined;
}

/** Stripe understood the call and refuses it. No money moved, and repeating would not help. */
export class RefusedByStripe extends Error {
  override readonly name = 'RefusedByStripe';
  readonly facts: StripeRefusalFacts;
  readonly detail: object;

  constructor(facts: StripeRefusalFacts, { endpoint, detail }: { endpoint: string; detail: object }) {
    super(`Stripe refuses ${endpoint}`);
    this.facts = facts;
    this.detail = detail;
  }
}
