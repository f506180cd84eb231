export interface RefusalFacts {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'authentication_error' | 'card_error';
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly payment_intent?: object;
}

/** An error answer of Stripe. The parts that billing reads are in Stripe's own words. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly facts: RefusalFacts;
  /** The call began before it was refused, so every repetition of its key gets the same answer. */
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

/** The request is valid but cannot be fulfilled. */
export function notPossible(code: string, message: string): StripeRefusal {
  return new StripeRefusal({ status: 400, type: 'invalid_request_error', code, message }, { isKept: true });
}
