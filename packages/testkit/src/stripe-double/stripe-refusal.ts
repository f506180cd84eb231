export interface RefusalFacts {
  readonly status: number;
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'authentication_error';
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
}

/** An error that Stripe answers with, in its own words as far as anybody reads them. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.facts = facts;
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
