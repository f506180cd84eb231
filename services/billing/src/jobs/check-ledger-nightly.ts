import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Database } from '@tollgate/runtime/postgres/database';
import { checkLedger } from '../app/check-ledger.ts';
import { claimNightlyCheck, finishNightlyCheck } from '../sql/nightly-check.ts';
import { createRound, type Round } from './create-round.ts';

export interface NightlyCheckDeps {
  /** Its statements may take minutes. */
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

const lookEveryMs = 600_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** UTC; a month closes a day after its end at the earliest, and most are asleep. */
const checkHour = 3;

/**
 * Proves the books once a day (`tollgate ledger check` does so at any time). A difference is an error in the log and in the
 * metric, and stays until somebody has looked. Safe in several processes at once, and to miss a night.
 */
export function createNightlyLedgerCheck({ database, clock, log, metrics }: NightlyCheckDeps): Round {
  const differing = metrics?.gauge('ledger_differences', 'Checks of the ledger that did not hold, when last looked.');

  async function check(): Promise<void> {
    const nowMs = clock.now();
    const claim = { nowMs, againMs: nowMs + hourMs, firstMs: nextNightMs(nowMs) };
    if (!(await claimNightlyCheck(database, claim))) return;
    const { differences, ...counts } = await checkLedger(database);
    await finishNightlyCheck(database, {
      nextMs: nextNightMs(nowMs),
      checkedMs: nowMs,
      differences: differences.length,
    });
    differing?.set(differences.length);
    if (differences.length > 0) log.error({ differences }, 'the ledger check found differences');
    else log.info({ ...counts, next: toIso(nextNightMs(nowMs)) }, 'the ledger agrees');
  }

  return createRound({ name: 'nightly-ledger-check', run: check, everyMs: lookEveryMs, log });
}

/** The first time after now that it is night. */
function nextNightMs(nowMs: number): number {
  const tonight = Math.floor(nowMs / dayMs) * dayMs + checkHour * hourMs;
  return tonight > nowMs ? tonight : tonight + dayMs;
}
