export interface StripeRefusalFacts {
  readonly code: string;
  /** Of a payment that was made and then refused. */
  readonly objectId: string | undefined;
}

/** Stripe understood what was asked and will not do it: no money moved, and repeating would not help. */
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
