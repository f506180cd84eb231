import { parseUsd, type Micros } from '@tollgate/kernel/money';
import type { Config } from '../../config.ts';

/** Which accounts may owe, as the operator sets it for all. */
export interface CreditRules {
  /** `prepaid`: each account's calls must be covered by its balance. */
  readonly consumerCredit: 'postpaid' | 'prepaid';
  /** With `postpaid`: what an account without a payment method may owe. Undefined: there is no such limit. */
  readonly allowanceMicros: Micros | undefined;
  /** Whether calls of accounts are refused that have an invoice past due or uncollectible. */
  readonly refusesPastDue: boolean;
}

export function creditRulesOf(config: Config): CreditRules {
  const { CONSUMER_CREDIT: consumerCredit, UNSECURED_ALLOWANCE_USD: usd } = config;
  const allowanceMicros = usd === undefined || consumerCredit === 'prepaid' ? undefined : parseUsd(usd);
  return { consumerCredit, allowanceMicros, refusesPastDue: config.PAST_DUE_CALLS === 'refused' };
}
