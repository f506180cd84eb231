export interface RefusalFacts {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'authentication_error' | 'card_error';
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly payment_intent?: object;
}

/** An error that Stripe answers with, in its own words as far as anybody reads them. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly facts: RefusalFacts;
  /** It was begun before it was refused, so that every repetition of its key gets the same. */
  readonly isKept: boolean;

  constructor(facts: RefusalFacts, { isKept = false }: { isKept?: boolean } = {}) {
    super(facts.message);
    this.facts = facts;
    this.isKept = isKept;
  }
}

export function noSuch(what: string, id: string, param: string): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal({ status: 404, type: 'invalid_request_error', code: 'resource_missing', message, param });
}

export function badParameter(code: string, param: string): StripeRefusal {
  const message = `Bad parameter: ${param}`;
  return new StripeRefusal({ status: 400, type: 'invalid_request_error', code, message, param });
}

/** What is asked for is well said, and does not go. */
export function notPossible(code: string, message: string): StripeRefusal {
  return new StripeRefusal({ status: 400, type: 'invalid_request_error', code, message }, { isKept: true });
}
