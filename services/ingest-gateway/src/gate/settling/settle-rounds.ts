import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { periodOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import type { CreditRules } from '../deciding/credit-rules.ts';
import type { SettleAccounts } from './settle-accounts.ts';
import { settleInParts } from './settle-in-parts.ts';
import { dropEndedApprovals } from '../approvals/sql-approval.ts';
import { dropIdleBalanceCaps } from '../caps/sql-cap-state.ts';
import { dropEndedHolds } from './sql-settled-hold.ts';
import { dropEndedLines } from './sql-line.ts';
import { listAccountsToSettle, readCountedThrough } from './sql-settlement.ts';

export interface SettleRoundsDeps {
  readonly database: Queryable;
  readonly settleAccounts: SettleAccounts;
  readonly rules: CreditRules;
  readonly clock: Clock;
  readonly log: Logger;
}

/** In every sixtieth round all caps are settled: calls that were counted without a hold are then in them. */
const roundsPerFullRound = 60;
/** Settlements of one account in a round, while more of its holds have expired. */
const partsPerRound = 100;
/** Nobody captures or repeats an authorization that ended so long ago; its event is in the usage. */
const endedHoldsKeptMs = 31 * dayMs;
const droppedPerRound = 5_000;

/**
 * Settles, once per second, each account with a captured or expired hold. Each gateway does: two that settle one account at
 * once do no harm. An account that fails does not hold up the others.
 */
export function createSettleRounds({ database, settleAccounts, rules, clock, log }: SettleRoundsDeps): Repeated {
  let round = 0;
  return every({ name: 'settle-rounds', everyMs: 1_000, log, run: settleAll });

  async function settleAll(): Promise<void> {
    const watermarkMs = await readCountedThrough(database);
    const isFullRound = round % roundsPerFullRound === 0;
    const accountIds = await listAccountsToSettle(database, { watermarkMs, all: isFullRound });
    if (isFullRound) await dropEnded();
    round += 1;
    let due = accountIds;
    for (let part = 0; due.length > 0 && part < partsPerRound; part += 1) due = await settle(due);
  }

  async function dropEnded(): Promise<void> {
    const beforeMs = clock.now() - endedHoldsKeptMs;
    await dropEndedHolds(database, { beforeMs, max: droppedPerRound });
    await dropEndedApprovals(database, { beforeMs, max: droppedPerRound });
    await dropEndedLines(database, periodOf(beforeMs));
    if (rules.consumerCredit === 'postpaid')
      await dropIdleBalanceCaps(database, { hasAllowance: rules.allowanceMicros !== undefined });
  }

  function settle(accountIds: readonly string[]): Promise<string[]> {
    const accounts = accountIds.map((accountId) => ({ accountId }));
    return settleInParts({ settleAccounts, log, triesEach: () => true }, accounts, clock.now());
  }
}
