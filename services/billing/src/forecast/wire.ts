import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { forecastController } from './forecast.controller.ts';
import { createReadForecast } from './read-forecast.ts';

export interface ForecastDeps {
  readonly api: Database;
  readonly clock: Clock;
}

/** Wires `GET /v1/billing/forecast`. */
export function wireForecast({ api, clock }: ForecastDeps) {
  return { controllers: [forecastController({ readForecast: createReadForecast({ database: api, clock }) })] };
}
