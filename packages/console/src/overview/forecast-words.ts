import type { Schemas } from '@tollgate/sdk/edge';
import type { CourseDay } from '../charts/course.tsx';
import { dayInWords } from '../patterns/day.ts';
import { formatUsd } from '../patterns/format-usd.ts';

type Forecast = Schemas['Forecast'];

/** The forecast in sentences. All amounts are the service's. */
export function forecastInWords(forecast: Forecast): string {
  const { estimated_usd: estimated, estimated_low_usd: low, estimated_high_usd: high } = forecast;
  if (estimated === null || low === null || high === null)
    return `An estimate takes 14 whole days of calls. So far there are ${forecast.history_days}.${budgetInWords(forecast)}`;
  return `About ${formatUsd(estimated)}. Four of five such months end between ${formatUsd(low)} and ${formatUsd(high)}.${budgetInWords(forecast)}`;
}

function budgetInWords({ budget_usd: budget, budget_ends_on: end }: Forecast): string {
  if (budget === null) return '';
  return end === null
    ? ` The budget of ${formatUsd(budget)} lasts.`
    : ` The budget of ${formatUsd(budget)} is spent on ${dayInWords(end)}.`;
}

/** A day as the chart draws it. */
export function dayOfCourse(day: Forecast['days'][number]): CourseDay {
  const { date, spent_usd: spent, estimated_usd: expected, estimated_low_usd: low, estimated_high_usd: high } = day;
  return {
    label: dayInWords(date),
    ...(spent !== null && { spent }),
    ...(expected !== null && { expected }),
    ...(low !== null && high !== null && { band: [low, high] }),
    says: [
      ...(spent === null ? [] : [`Spent ${formatUsd(spent)}`]),
      ...(expected === null ? [] : [`Expected ${formatUsd(expected)}`]),
      ...(low === null || high === null ? [] : [`Between ${formatUsd(low)} and ${formatUsd(high)}`]),
    ],
  };
}
