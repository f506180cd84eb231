import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Forecast, ForecastDay as ApiForecastDay } from '@tollgate/contracts/money/forecast';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Request, Response } from 'express';
import type { Micros } from '@tollgate/kernel/money';
import type { Estimate, ForecastDay } from './plan-forecast.ts';
import type { ForecastWithBudget, ReadForecast } from './read-forecast.ts';

export function forecastController({ readForecast }: { readonly readForecast: ReadForecast }): NestController {
  @Controller('v1/billing/forecast')
  class ForecastController {
    @Get()
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      sendJson(response, 200, toApiForecast(await readForecast(accountIdOf(request))));
    }
  }
  return ForecastController;
}

function toApiForecast(forecast: ForecastWithBudget): Record<keyof Forecast, unknown> {
  const { period, throughMs, spentMicros, estimate, budgetMicros, budgetEndsOn, historyDays, days } = forecast;
  return {
    period,
    through: toIso(throughMs),
    spent_usd: toUsdNumber(spentMicros),
    ...toApiEstimate(estimate),
    budget_usd: usdOrNull(budgetMicros),
    budget_ends_on: budgetEndsOn,
    history_days: historyDays,
    days: days.map(toApiDay),
  };
}

function toApiDay({ date, spentMicros, estimate }: ForecastDay): Record<keyof ApiForecastDay, unknown> {
  return { date, spent_usd: usdOrNull(spentMicros), ...toApiEstimate(estimate) };
}

function toApiEstimate(estimate: Estimate | undefined) {
  return {
    estimated_usd: usdOrNull(estimate?.expectedMicros),
    estimated_low_usd: usdOrNull(estimate?.lowMicros),
    estimated_high_usd: usdOrNull(estimate?.highMicros),
  };
}

function usdOrNull(amount: Micros | null | undefined): number | object | null {
  return amount == null ? null : toUsdNumber(amount);
}
