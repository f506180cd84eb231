import { CallRefused } from '../processor.ts';

export interface StripeRefusalFacts {
  readonly code: string;
  /** The parameter that Stripe refuses, if it names one. */
  readonly param?: string | undefined;
  /** The payment, if Stripe created one before refusing it. */
  readonly objectId: string | undefined;
}

export interface RefusedOptions {
  /** The task of the operator. */
  readonly message: string;
  readonly detail: object;
}

/** Stripe understood the call and refuses it. No money moved, and repeating would not help. */
export class RefusedByStripe extends CallRefused {
  readonly facts: StripeRefusalFacts;

  constructor(facts: StripeRefusalFacts, { message, detail }: RefusedOptions) {
    super(message, detail);
    this.facts = facts;
  }
}
