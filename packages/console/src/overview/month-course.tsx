import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ChartCard, Course } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords } from '../patterns/day.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { dayOfCourse, forecastInWords } from './forecast-words.ts';

type Day = Schemas['Forecast']['days'][number];

const columns: readonly Column<Day>[] = [
  { title: 'By the end of', cell: ({ date }) => dayInWords(date) },
  { title: 'Spent', isFigure: true, cell: ({ spent_usd: usd }) => <Money usd={usd} /> },
  { title: 'Low', isFigure: true, cell: ({ estimated_low_usd: usd }) => <Money usd={usd} /> },
  { title: 'Expected', isFigure: true, cell: ({ estimated_usd: usd }) => <Money usd={usd} /> },
  { title: 'High', isFigure: true, cell: ({ estimated_high_usd: usd }) => <Money usd={usd} /> },
];

/** The course of the month: what was spent by each day, and what is expected. */
export function MonthCourse(): ReactNode {
  const forecast = useQuery({ ...ask('getForecast'), refetchInterval: 60_000 });
  return <Loaded of={forecast}>{(shown) => <Shown forecast={shown} />}</Loaded>;
}

function Shown({ forecast }: { readonly forecast: Schemas['Forecast'] }): ReactNode {
  const { days, budget_usd: budget, estimated_usd: estimated } = forecast;
  return (
    <ChartCard
      title={estimated === null ? 'The month so far' : 'What the month will come to'}
      says={forecastInWords(forecast)}
      chart={
        <Course days={days.map(dayOfCourse)} budget={budget === null ? null : { height: budget, says: 'Budget' }} />
      }
      table={<DataTable label="The month by its days" columns={columns} rows={days} keyOf={({ date }) => date} />}
    />
  );
}
