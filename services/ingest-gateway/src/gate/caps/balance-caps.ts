/**
 * The cap of an account's balance: balance - what it owes + its credit limit.
 *
 * 1. Who has one: an account with a credit limit; with `CONSUMER_CREDIT=prepaid` every account, whose limit is 0 then; with
 *    `UNSECURED_ALLOWANCE_USD` each account without a payment method, whose limit is the allowance then.
 * 2. Its row in gate.cap_state has all charges of the account ever, and what is held. It changes as the rows of other caps do.
 * 3. Billing's part is read under the lock of the row, in one statement, at each decision. So a top-up works at once, and what
 *    leaves the balance is as a lowered cap: it refuses what is new.
 * 4. A grant counts in full if it is valid until the hold ends, and pays for the hour in which it ends. Of one that ends
 *    before, only what billing has laid on it already counts. So no balance falls below zero since a grant has expired.
 * 5. An invoice moves charges from unbilled to owed, and a payment from owed to paid. Neither changes what is left: what is
 *    billed is taken off the charges and is owed in the same snapshot.
 */
import type { Queryable, Transaction } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { windowAt } from '../../passes/spending-window.ts';
import { followRows } from './follow-rows.ts';
import type { CreditRules } from '../deciding/credit-rules.ts';
import type { CapState, CapWish } from '../authorizations/hold.ts';
import { findCreditLimit, readChangedCreditLimits, type CreditLimit } from './sql-credit-limit.ts';
import { findSecured } from '../deciding/sql-secured-account.ts';
import { readSpendingPower, type SpendingPower } from '../deciding/sql-spending-power.ts';
import { unsecuredSince, type UnsecuredAccounts } from '../deciding/unsecured-accounts.ts';

export interface BalanceCaps extends Service {
  /** The cap that a call of the account must fit into, if it has one. */
  of(accountId: string): readonly CapWish[];
}

export interface BalanceCapsDeps {
  readonly database: Queryable;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly rules: Pick<CreditRules, 'consumerCredit'>;
  readonly unsecured: Pick<UnsecuredAccounts, 'since'>;
}

const none: readonly CapWish[] = [];
const allTime = windowAt('total', 0);

/** Knows which accounts have a cap of their balance. */
export function createBalanceCaps({ database, rules, unsecured, ...deps }: BalanceCapsDeps): BalanceCaps {
  const { of, start, stop, state } = followRows<CreditLimit>({
    ...deps,
    channel: 'credit_limits_changed',
    readChanged: (afterSeq) => readChangedCreditLimits(database, afterSeq),
    isGone: ({ sinceMs }) => sinceMs === null,
  });
  return {
    name: 'balance-caps',
    start,
    stop,
    readiness: () => ({ credit_limits: state() }),
    of(accountId) {
      if (rules.consumerCredit === 'prepaid') return prepaidCaps(accountId);
      return capsSince(accountId, of(accountId)?.sinceMs ?? unsecured.since(accountId));
    },
  };
}

/** As `of` of the gateway that has heard of every change. */
export async function readBalanceCaps(
  tx: Transaction,
  accountId: string,
  { consumerCredit, allowanceMicros }: CreditRules,
): Promise<readonly CapWish[]> {
  if (consumerCredit === 'prepaid') return prepaidCaps(accountId);
  const limit = await findCreditLimit(tx, accountId);
  if (limit?.sinceMs != null || allowanceMicros === undefined) return capsSince(accountId, limit?.sinceMs ?? undefined);
  return capsSince(accountId, unsecuredSince(await findSecured(tx, accountId)));
}

function prepaidCaps(accountId: string): readonly CapWish[] {
  return [balanceCap(accountId, allTime.startMs)];
}

function capsSince(accountId: string, sinceMs: number | undefined): readonly CapWish[] {
  return sinceMs === undefined ? none : [balanceCap(accountId, sinceMs)];
}

/**
 * A limit that was taken away and set again has another row: nothing kept the first one right meanwhile. So its window begins
 * when the limit was set. So does that of an allowance, when the account lost its payment method.
 */
export function balanceCap(ownerId: string, startMs: number): CapWish {
  return { scope: 'balance', ownerId, startMs, endMs: allTime.endMs };
}

export interface BalanceTimes {
  readonly atMs: number;
  /** When the last hold ends that the balance of the account has to cover. Undefined: it covers none. */
  readonly untilMs?: (accountId: string) => number | undefined;
}

export type FillBalances = (db: Queryable, caps: readonly CapState[], times: BalanceTimes) => Promise<CapState[]>;

/** Adds billing's part to the caps of balances, whose rows are locked where a decision follows. Others stay as they are. */
export function createFillBalances(rules: Omit<CreditRules, 'refusesPastDue'>): FillBalances {
  return async function fillBalances(db, caps, { atMs, untilMs }) {
    const accounts = caps
      .filter(({ scope }) => scope === 'balance')
      .map(({ ownerId: accountId }) => ({ accountId, untilMs: untilMs?.(accountId) ?? atMs }));
    if (accounts.length === 0) return [...caps];
    const powers = await readSpendingPower(db, accounts, atMs);
    return caps.flatMap((cap) => (cap.scope === 'balance' ? filled(cap, powers.get(cap.ownerId)) : [cap]));
  };

  /** None: the limit is gone, and this gateway does not know it yet. */
  function filled(cap: CapState, power: SpendingPower | undefined): CapState[] {
    const limit = power && limitOf(power, rules);
    if (power === undefined || limit === undefined) return [];
    const { limitMicros, ...bound } = limit;
    const { balanceMicros, owedMicros, billedMicros } = power;
    const capMicros = micros(balanceMicros - owedMicros + limitMicros);
    return [{ ...cap, ...bound, capMicros, spentMicros: micros(cap.spentMicros - billedMicros) }];
  }
}

type Limit = Pick<CapState, 'boundBy'> & { readonly limitMicros: bigint };

/** The operator's limit for the account comes before what holds for all. */
function limitOf(power: SpendingPower, rules: Omit<CreditRules, 'refusesPastDue'>): Limit | undefined {
  if (power.creditLimitMicros !== null) return { limitMicros: power.creditLimitMicros };
  if (rules.consumerCredit === 'prepaid') return { limitMicros: 0n };
  if (rules.allowanceMicros === undefined) return undefined;
  return { limitMicros: rules.allowanceMicros, boundBy: power.hasPaymentMethod ? 'nothing' : 'allowance' };
}
