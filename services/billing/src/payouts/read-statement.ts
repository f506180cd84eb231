import { setImmediate } from 'node:timers/promises';
import { AppError } from '@tollgate/kernel/app-error';
import { micros } from '@tollgate/kernel/money';
import { dateOf, periodBounds } from '@tollgate/kernel/period';
import { mapInTurns } from '@tollgate/runtime/timing/map-in-turns';
import type { Transaction } from '@tollgate/database/database';
import { mergeEarned, type Earned } from './earned.ts';
import { payoutIdOf, type PayoutReadingDeps } from './payout.ts';
import { toStatementLines, type DayCharge, type StatementLine } from './statement-lines.ts';
import { listSettledKeys, listUncollectedKeys, type EarnedKey } from './sql-charged-lines.ts';
import { readMoneyProgress } from './sql-read-builder-balances.ts';
import { openPayout, type OpenedPayout } from './open-payout.ts';
import { rateUsageOverTime } from '../usage/rate-consumers.ts';

export interface StatementQuery {
  readonly builderId: string;
  readonly period: string;
}

export interface Statement extends Omit<OpenedPayout, 'earned'> {
  /** carriedIn + lines − processorFees = the payout + carriedOut. */
  readonly lines: readonly StatementLine[];
}

/**
 * Reads the lines of a builder's payout of a period, by tool, charge and day. Throws `not_found` if nothing was earned.
 */
export function createReadStatement({ api, scope, clock }: PayoutReadingDeps) {
  return async function readStatement({ builderId, period }: StatementQuery): Promise<Statement> {
    const id = payoutIdOf(builderId, period);
    return api.transaction(
      async (tx) => {
        const opened = await openPayout(tx, { builderId, id, scope, nowMs: clock.now() });
        if (opened === undefined) throw nothingEarned(period);
        await setImmediate(); // planning thousands of charges is a turn by itself
        const earned = mergeEarned(opened.earned);
        const daysOf = await rateDays(tx, { builderId, opened, earned });
        const lines = await mapInTurns(earned, (charge) => toStatementLines(charge, daysOf(charge)));
        const { earned: _earned, ...rest } = opened;
        return { ...rest, lines: lines.flat() };
      },
      { accountId: builderId, isolation: 'snapshot' },
    );
  };
}

interface DaysQuery {
  readonly builderId: string;
  readonly opened: OpenedPayout;
  readonly earned: readonly Earned[];
}

/**
 * Rates by day the calls whose money is in the payout. In a closed period, other consumers' money may be in another
 * payout.
 */
async function rateDays(tx: Transaction, { builderId, opened, earned }: DaysQuery) {
  const { lastClosed } = await readMoneyProgress(tx);
  const keys = new Set(await mapInTurns(await listKeys(tx, builderId, opened.payout), keyOf));
  const days = new Map<string, Map<string, bigint>>();
  const periods = new Set(earned.filter(({ by }) => by === 'usage').map(({ period }) => period));
  for (const period of periods) {
    const { start, end } = periodBounds(period);
    const isOpen = lastClosed === null || period > lastClosed;
    const query = { accountId: builderId, role: 'builder', granularity: 'day' } as const;
    for await (const lines of rateUsageOverTime(tx, { ...query, sinceMs: start, fromMs: start, toMs: end })) {
      for (const line of lines.filter((timed) => isOpen || keys.has(keyOf(timed)))) {
        const ofCharge = days.get(chargeKeyOf(line)) ?? new Map<string, bigint>();
        const day = dateOf(line.startMs);
        days.set(chargeKeyOf(line), ofCharge.set(day, (ofCharge.get(day) ?? 0n) + line.chargeMicros));
      }
    }
  }
  return (charge: Earned): DayCharge[] =>
    [...(days.get(chargeKeyOf(charge)) ?? [])].map(([day, amount]) => ({ day, chargeMicros: micros(amount) }));
}

async function listKeys(tx: Transaction, builderId: string, payout: OpenedPayout['payout']): Promise<EarnedKey[]> {
  if (payout.status !== 'pending') return listSettledKeys(tx, builderId, { payoutId: payout.id });
  const collected = await listSettledKeys(tx, builderId, { after: payout.afterPeriod, through: payout.period });
  return [...collected, ...(await listUncollectedKeys(tx, builderId))];
}

function keyOf({ consumerId, ...charge }: EarnedKey): string {
  return `${chargeKeyOf(charge)} ${consumerId}`;
}

function chargeKeyOf({ period, priceId, chargeIndex }: Omit<EarnedKey, 'consumerId'>): string {
  return `${period} ${priceId} ${chargeIndex}`;
}

function nothingEarned(period: string): AppError {
  return new AppError('not_found', `You have no payout of ${period}: nothing was earned for it.`);
}
