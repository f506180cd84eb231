import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { problemTypeOf, type Problem } from '../problem.ts';

interface Example {
  readonly code: ErrorCode;
  readonly summary: string;
  readonly detail: string;
  readonly limit?: Problem['limit'];
}

const requestId = '5e6f1f0e-3c56-4f0e-9a52-1d0a4a3b7c11';

/** Refusals of money have several shapes under one code. The gateway's tests compare theirs with these. */
const examples: Readonly<Record<string, Example>> = {
  past_due: {
    code: 'payment_required',
    summary: 'An invoice of the account is past due',
    detail: 'An invoice of this account is past due. New calls go through again once it is paid.',
  },
  allowance_used_up: {
    code: 'payment_required',
    summary: 'Nothing is left of the allowance without a payment method',
    detail:
      'The allowance without a payment method, of which 1 USD can be spent, has no room for this call: 0 are spent, 1 are held, and this call can come to 0.5. Set up a payment method to go on.',
    limit: { scope: 'allowance', cap_usd: 1, spent_usd: 0, held_usd: 1, needed_usd: 0.5, resets_at: null },
  },
  told_to_a_builder: {
    code: 'payment_required',
    summary: 'What a builder, or the bearer of a pass, sees',
    detail: 'The consumer has to pay what it owes, or to set up a payment method, before it can make this call.',
  },
  allowance: {
    code: 'spending_cap_reached',
    summary: 'The rest of the allowance is too little for this call',
    detail:
      'The allowance without a payment method, of which 1 USD can be spent, has no room for this call: 0 are spent, 0.8 are held, and this call can come to 0.4. Set up a payment method to go on.',
    limit: { scope: 'allowance', cap_usd: 1, spent_usd: 0, held_usd: 0.8, needed_usd: 0.4, resets_at: null },
  },
  balance: {
    code: 'spending_cap_reached',
    summary: 'The balance does not cover the call',
    detail:
      'The balance, of which 1 USD can be spent, has no room for this call: 0 are spent, 0.8 are held, and this call can come to 0.4. Top it up to go on.',
    limit: { scope: 'balance', cap_usd: 1, spent_usd: 0, held_usd: 0.8, needed_usd: 0.4, resets_at: null },
  },
};

/** Those of the codes that an answer of this path may have, as OpenAPI shows examples; undefined: none. */
export function problemExamplesOf(path: string, codes: readonly ErrorCode[]): object | undefined {
  const shown = Object.entries(examples).filter(([, { code }]) => codes.includes(code));
  if (shown.length === 0) return undefined;
  return Object.fromEntries(
    shown.map(([name, { summary, ...example }]) => [
      name,
      { summary, value: toProblem(path.replaceAll(/\{.*?\}/g, requestId), example) },
    ]),
  );
}

function toProblem(instance: string, { code, detail, limit }: Omit<Example, 'summary'>): Problem {
  const { title, status } = errorCodes[code];
  const rest = { type: problemTypeOf(code), title, status, detail, instance, code, request_id: requestId };
  return { ...(limit && { limit }), resets_at: null, ...rest };
}
