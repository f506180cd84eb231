import { z } from 'zod';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const estimate = (description: string) => z.number().nullable().meta({ description });

export const forecastShape = {
  period: z.string().meta({ description: 'The month that is forecast, in UTC.', examples: ['2026-11'] }),
  through: isoTimeSchema.meta({ description: 'The calls before this hour are what it was made of.' }),
  spent_usd: z.number().meta({ description: 'What the calls of the month before `through` came to.' }),
  estimated_usd: estimate(
    'An estimate: what the month will come to if the account goes on as it did. Null with less than 14 days of history.',
  ),
  estimated_low_usd: estimate('An estimate: one month in ten ends below it.'),
  estimated_high_usd: estimate('An estimate: one month in ten ends above it.'),
  budget_usd: z
    .number()
    .nullable()
    .meta({ description: 'The budget of the month; null if the account has none, or one of each day.' }),
  budget_ends_on: z.iso.date().nullable().meta({
    description:
      'The day (UTC) on which the expected spending reaches the budget, or has reached it. Null if it does not within the month.',
  }),
  history_days: z.int().min(0).max(42).meta({
    description: 'The whole days since the first call that it was learned from, 42 at most.',
  }),
};

const forecastDaySchema = z
  .object({
    date: z.iso.date().meta({ description: 'The day in UTC.' }),
    spent_usd: z.number().nullable().meta({
      description: 'What the month came to by the end of the day, or until `through`. Null for days to come.',
    }),
    estimated_usd: estimate(
      'An estimate: what the month will have come to by the end of the day. Null for past days, and with less than 14 days of history.',
    ),
    estimated_low_usd: estimate('One in ten is below it.'),
    estimated_high_usd: estimate('One in ten is above it.'),
  })
  .meta({ id: 'ForecastDay' });

export const forecastSchema = z
  .object({
    ...forecastShape,
    days: z.array(forecastDaySchema).meta({ description: 'The course of the month: each of its days, added up.' }),
  })
  .meta({ id: 'Forecast', description: 'What a month is expected to come to. It is an estimate, and binds nobody.' });

export type Forecast = z.infer<typeof forecastSchema>;
export type ForecastDay = z.infer<typeof forecastDaySchema>;

export const forecastRoutes: readonly Route[] = [
  {
    service: 'billing',
    tag: 'Billing',
    access: 'account',
    operationId: 'getForecast',
    method: 'GET',
    path: '/v1/billing/forecast',
    summary: 'Show what the month will come to',
    description:
      'Learns from the last six weeks how the account spends by the hour and by the day of the week. Four of five months end between the two bounds. With less than 14 whole days of history nothing is estimated.',
    responses: { 200: { description: 'The forecast.', schema: forecastSchema } },
    errors: [],
  },
];
