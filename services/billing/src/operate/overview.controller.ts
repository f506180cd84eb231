import { Controller, Get, Res } from '@nestjs/common';
import { dueWorkKinds } from '@tollgate/contracts/operator/overview';
import type { Database } from '@tollgate/database/database';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Response } from 'express';
import type { LagMinute } from './counting-lag.ts';
import { type MachineState, toApiMachine } from './machine-state.ts';
import { readOverview, type Overview, type OverviewQuery } from './read-overview.ts';
import type { CallsSince } from './sql-overview.ts';

interface Deps extends Omit<OverviewQuery, 'nowMs'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly readMachine: () => MachineState;
  readonly readLastHour: () => readonly LagMinute[];
}

export function overviewController({ database, clock, readMachine, readLastHour, ...query }: Deps): NestController {
  @Controller('v1/operator/overview')
  class OverviewController {
    @Get()
    async get(@Res() response: Response): Promise<void> {
      const overview = await readOverview(database, { ...query, nowMs: clock.now() });
      const machine = toApiMachine(readMachine());
      sendJson(response, 200, { ...toApiOverview(overview, readLastHour()), machine });
    }
  }
  return OverviewController;
}

function toApiOverview(
  { status, dayStartMs, period, calls, oldestDueWork, deadLetters, ...money }: Overview,
  lastHour: readonly LagMinute[],
) {
  const { nowMs, countedThroughMs, watermarkAge, duePeriod } = status;
  const since = (ageSeconds: number) => nowMs - Math.round(ageSeconds * 1_000);
  return {
    now: toIso(nowMs),
    today: { starts_at: toIso(dayStartMs), ...toApiCalls(calls.day) },
    month: {
      period,
      ...toApiCalls(calls.month),
      collected_usd: toUsdNumber(money.collectedMicros),
      platform_fees_usd: toUsdNumber(money.platformFeesMicros),
    },
    counting: {
      counted_through: watermarkAge === null ? null : toIso(countedThroughMs),
      lag_seconds: watermarkAge,
      last_hour: lastHour.map(({ startsMs, lagSeconds }) => ({
        starts_at: toIso(startsMs),
        lag_seconds: lagSeconds,
      })),
    },
    due_work: dueWorkKinds.flatMap((kind) => {
      const dueMs = oldestDueWork[kind];
      return dueMs === null ? [] : [{ kind, due_at: toIso(dueMs) }];
    }),
    due_period: duePeriod,
    unknown_outcomes: toApiWaiting(status.unknownOrders, since(status.unknownOrderAge)),
    waiting_webhooks: toApiWaiting(status.waitingWebhooks, since(status.waitingWebhookAge)),
    dead_letters: toApiWaiting(deadLetters.waiting, deadLetters.oldestMs),
    unclosed_consumers: status.unclosedConsumers,
    held_invoices: status.heldInvoices,
    failing_payouts: status.failingPayouts,
    open_disputes: status.openDisputes,
    ledger_differences: status.ledgerDifferences,
  };
}

function toApiCalls({ calls, failed }: CallsSince) {
  return { calls: toJsonInteger(calls), failed_calls: toJsonInteger(failed) };
}

function toApiWaiting(count: number, oldestMs: number | undefined) {
  return { count, oldest_at: count === 0 || oldestMs === undefined ? null : toIso(oldestMs) };
}
