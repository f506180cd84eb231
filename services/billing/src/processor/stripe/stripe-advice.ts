import type { StripeFailure } from './stripe-failure.ts';

/** The tasks of the operator after a refusal, by the name under which `docs/stripe.md` explains it. */
export const operatorTasks = {
  secret_refused: 'set STRIPE_SECRET_KEY to a key of this Stripe account that may make this call',
  connect_not_set_up: 'sign up for Connect in the Stripe Dashboard and complete the platform profile',
  transfers_not_approved:
    'ask Stripe’s support to approve accounts with the capability `transfers` and without `card_payments`',
  accounts_v1_disabled: 'allow the Accounts v1 API in the Stripe Dashboard, in the settings of Connect',
  call_refused: 'look for this request in the log, which has Stripe’s code, message and request id',
} as const;

export type OperatorTask = keyof typeof operatorTasks;

/** Stripe gives most refusals of a platform no code, so its words decide. The tests hold the words of Stripe’s pages. */
const tasksByWords: readonly (readonly [RegExp, OperatorTask])[] = [
  [/`transfers` capability without the `card_payments`/i, 'transfers_not_approved'],
  [/accounts-v2\/account-creation|\/v2\/core\/accounts/i, 'accounts_v1_disabled'],
  [/signed up for Connect|platform[- ]profile|responsibilities of (?:managing|collecting)/i, 'connect_not_set_up'],
];

/** Finds what the operator has to do after Stripe refused a call. */
export function adviceOf({ said }: Pick<StripeFailure, 'said'>): OperatorTask {
  if (said.status === 401 || said.code === 'api_key_expired') return 'secret_refused';
  const found = tasksByWords.find(([words]) => words.test(said.message))?.[1];
  if (found !== undefined) return found;
  return said.status === 403 ? 'secret_refused' : 'call_refused';
}

/** The message for the caller, who cannot help it and should know who can. */
export function toRefusalMessage(task: OperatorTask): string {
  return `The payment processor refuses the platform’s request. Its operator has to act: ${operatorTasks[task]} (${task} in docs/stripe.md).`;
}
