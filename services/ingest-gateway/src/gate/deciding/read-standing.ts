import type { Transaction } from '@tollgate/database/database';
import { findPass } from '../../passes/sql-pass.ts';
import { readBalanceCaps } from '../caps/balance-caps.ts';
import type { CreditRules } from './credit-rules.ts';
import type { Payer } from './find-payer.ts';
import type { Hold } from '../authorizations/hold.ts';
import type { Standing } from './judge-call.ts';
import { passRefused } from './refusals.ts';
import { findBudget } from '../caps/sql-budget.ts';
import { findPastDue } from './sql-past-due.ts';
import { findSuspended } from './sql-suspended.ts';

/** How the account stands at this moment, whatever a gateway has heard. */
export type ReadStanding = (tx: Transaction, accountId: string) => Promise<Standing>;

export function createReadStanding(rules: CreditRules): ReadStanding {
  return async function readStanding(tx, accountId) {
    const [isSuspended, budget, balanceCaps, pastDue] = await Promise.all([
      findSuspended(tx, accountId),
      findBudget(tx, accountId),
      readBalanceCaps(tx, accountId, rules),
      findPastDue(tx, rules.refusesPastDue ? [accountId] : []),
    ]);
    return { isSuspended, isPastDue: pastDue.has(accountId), budget, balanceCaps };
  };
}

/** The payer of an authorization, with its pass as it is at this moment. Throws `pass_refused` if that is revoked. */
export async function readPayer(
  tx: Transaction,
  { accountId, passId }: Pick<Hold, 'accountId' | 'passId'>,
  nowMs: number,
): Promise<Payer> {
  if (passId === null) return { accountId, pass: undefined };
  const pass = await findPass(tx, { passId, accountId });
  if (pass === undefined) throw passRefused(nowMs);
  return { accountId, pass };
}
