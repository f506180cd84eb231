import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { problemTypeOf, type Problem } from '../forms/problem.ts';

interface Example {
  readonly code: ErrorCode;
  readonly summary: string;
  readonly detail: string;
  readonly limit?: Problem['limit'];
  /** Where there is no `limit` to say it. */
  readonly resetsAt?: string;
  /** Only an ask for an authorization is answered so. */
  readonly approval?: Problem['approval'];
}

const midnight = '2026-11-22T00:00:00.000Z';
const approval = {
  id: '01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f',
  url: 'https://tollgate.example/approvals/01928f3a-7c1e-7b3d-9e2f-4a5b6c7d8e9f',
  expires_at: '2026-11-21T12:44:56.789Z',
};
const approvable = `until ${approval.expires_at} at ${approval.url}`;
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
  shown_to_a_builder: {
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
  account: {
    code: 'spending_cap_reached',
    summary: 'The budget of the account has no room for the call',
    detail: `The spending cap of 1 USD has no room for this call: 0 are spent, 0.8 are held, and this call can come to 0.4. It is free again at ${midnight}.`,
    limit: { scope: 'account', cap_usd: 1, spent_usd: 0, held_usd: 0.8, needed_usd: 0.4, resets_at: midnight },
  },
  pass: {
    code: 'spending_cap_reached',
    summary: 'The cap of the pass has no room for the call',
    detail: `The spending cap of 0.5 USD has no room for this call: 0 are spent, 0.5 are held, and this call can come to 0.25. It is free again at ${midnight}.`,
    limit: { scope: 'pass', cap_usd: 0.5, spent_usd: 0, held_usd: 0.5, needed_usd: 0.25, resets_at: midnight },
  },
  approvable: {
    code: 'spending_cap_reached',
    summary: 'The cap of the pass has no room for the call, and its owner can approve that',
    detail: `The spending cap of 0.5 USD has no room for this call: 0 are spent, 0.5 are held, and this call can come to 0.25. It is free again at ${midnight}. You can approve it ${approvable}`,
    limit: { scope: 'pass', cap_usd: 0.5, spent_usd: 0, held_usd: 0.5, needed_usd: 0.25, resets_at: midnight },
    approval,
  },
  approvable_shown_to_a_builder: {
    code: 'spending_cap_reached',
    summary: 'What a builder, or the bearer of a pass, sees of a cap that the owner can exceed',
    detail: `The consumer’s spending cap has no room for this call. The owner of the pass can approve it ${approvable}`,
    resetsAt: midnight,
    approval,
  },
  above: {
    code: 'approval_required',
    summary: 'The call can come to more than goes through without the owner of the pass',
    detail: `A call with this pass that can come to more than 0.2 USD needs your approval, and this one can come to 0.25 USD. You can approve it ${approvable}`,
    approval,
  },
  above_shown_to_a_builder: {
    code: 'approval_required',
    summary: 'What a builder, or the bearer of a pass, sees of that',
    detail: `The call needs the approval of the owner of the pass. The owner of the pass can approve it ${approvable}`,
    approval,
  },
  more_than_approved: {
    code: 'approval_required',
    summary: 'More for an authorization, which only a new one can be approved for',
    detail:
      'The call would need an approval of the owner of the pass. Release this authorization, and ask for a new one with the greater `max`.',
  },
  call: {
    code: 'spending_cap_reached',
    summary: 'The call can come to more than the pass allows for one',
    detail: 'A call with this pass may come to 0.2 USD at most, and this one can come to 0.25 USD.',
    limit: { scope: 'call', cap_usd: 0.2, spent_usd: 0, held_usd: 0, needed_usd: 0.25, resets_at: null },
  },
  cap_shown_to_a_builder: {
    code: 'spending_cap_reached',
    summary: 'What a builder, or the bearer of a pass, sees of any cap',
    detail: 'The consumer’s spending cap has no room for this call.',
    resetsAt: midnight,
  },
  call_shown_to_a_builder: {
    code: 'spending_cap_reached',
    summary: 'What a builder, or the bearer of a pass, sees where one call is too dear',
    detail: 'The call can come to more than the consumer’s pass allows for one.',
  },
};

type Shown = Omit<Example, 'summary' | 'resetsAt'> & { readonly resetsAt?: string | null };

/**
 * Returns the examples, as OpenAPI shows them, of the codes that an answer of this path may have; undefined if there
 * are none.
 */
export function problemExamplesOf(path: string, codes: readonly ErrorCode[]): object | undefined {
  const asks = path === '/v1/authorizations';
  const shown = Object.entries(examples).filter(([, { code, approval: offered }]) => {
    return codes.includes(code) && (asks || offered === undefined);
  });
  if (shown.length === 0) return undefined;
  return Object.fromEntries(
    shown.map(([name, { summary, ...example }]) => [
      name,
      { summary, value: toProblem(path.replaceAll(/\{.*?\}/g, requestId), example) },
    ]),
  );
}

function toProblem(instance: string, { code, detail, limit, resetsAt = null, approval: offered }: Shown): Problem {
  const { title, status } = errorCodes[code];
  const rest = { type: problemTypeOf(code), title, status, detail, instance, code, request_id: requestId };
  const members = { ...(limit && { limit }), resets_at: limit?.resets_at ?? resetsAt };
  return { ...members, ...(offered && { approval: offered }), ...rest };
}
