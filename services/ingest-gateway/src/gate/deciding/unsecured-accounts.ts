import type { Queryable } from '@tollgate/database/database';
import type { Service } from '@tollgate/kernel/service';
import { windowAt } from '../../passes/spending-window.ts';
import type { CreditRules } from './credit-rules.ts';
import { followRows, type FollowRowsDeps } from '../caps/follow-rows.ts';
import { readChangedSecured, type SecuredAccount } from './sql-secured-account.ts';

export interface UnsecuredAccounts extends Service {
  /** Since when the account has had no payment method. Undefined: it has one, or may owe without one. */
  since(accountId: string): number | undefined;
}

export interface UnsecuredAccountsDeps extends Pick<FollowRowsDeps<SecuredAccount>, 'notifications' | 'clock' | 'log'> {
  readonly database: Queryable;
  readonly rules: Pick<CreditRules, 'allowanceMicros'>;
}

const nothing = async (): Promise<void> => undefined;
/** That of an account that never had one. */
const always = windowAt('total', 0).startMs;

/** Follows which accounts ever had a payment method, where those without one have an allowance. */
export function createUnsecuredAccounts({ database, rules, ...deps }: UnsecuredAccountsDeps): UnsecuredAccounts {
  const name = 'unsecured-accounts';
  if (rules.allowanceMicros === undefined) return { name, start: nothing, stop: nothing, since: () => undefined };
  const { of, start, stop, state } = followRows<SecuredAccount>({
    ...deps,
    channel: 'secured_accounts_changed',
    readChanged: (afterSeq) => readChangedSecured(database, afterSeq),
    isGone: () => false,
  });
  return {
    name,
    start,
    stop,
    readiness: () => ({ secured_accounts: state() }),
    since: (accountId) => unsecuredSince(of(accountId)),
  };
}

/** As `since`. Undefined is an account that never had a payment method. */
export function unsecuredSince(account: SecuredAccount | undefined): number | undefined {
  return account === undefined ? always : (account.unsecuredSinceMs ?? undefined);
}
