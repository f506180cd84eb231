import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { forecastController } from './forecast.controller.ts';
import { createReadForecast } from './read-forecast.ts';
import { createWatchSpending } from './watch-spending.ts';

export interface ForecastDeps {
  readonly api: Database;
  readonly jobs: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Wires `GET /v1/billing/forecast`, and the warnings of budgets that will not last and of unusual spending. */
export function wireForecast({ api, jobs, clock, log }: ForecastDeps) {
  return {
    controllers: [forecastController({ readForecast: createReadForecast({ database: api, clock }) })],
    dueSteps: [createWatchSpending({ database: jobs, log })],
  };
}
