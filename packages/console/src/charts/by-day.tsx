import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords, daysUntil } from '../patterns/day.ts';
import { TextLink } from '../patterns/links.tsx';
import type { UsageSearch } from '../usage/usage-search.ts';
import { Bars, ChartCard } from './chart-card.tsx';
import type { Bar } from './bars.tsx';

type Row = Schemas['UsageRow'];

interface Days {
  readonly title: string;
  readonly usage: Schemas['Usage'];
  readonly series: readonly string[];
  readonly isStacked?: boolean;
  /** The columns beside the day. */
  readonly columns: readonly Column<Row>[];
  /** The heights of the bar of a day with calls, and what is read of it. */
  readonly bar: (row: Row) => Pick<Bar, 'heights' | 'says'>;
  /** The hours of a day. */
  readonly hoursOf: (day: string) => UsageSearch;
}

/** The days of this month as bars and as a table. Each opens its hours. */
export function ByDay({ title, usage, series, isStacked = false, columns, bar, hoursOf }: Days): ReactNode {
  const navigate = useNavigate();
  const { usage: rows, counted_through: through } = usage;
  const days = daysUntil(through);
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  const empty = { heights: series.map(() => 0), says: ['No calls'] };
  const barOf = (day: string, row = byDay.get(day)) => ({ label: dayInWords(day), ...(row ? bar(row) : empty) });
  const day: Column<Row> = {
    title: 'Day (UTC)',
    cell: ({ start = '' }) => (
      <TextLink to="/usage" search={hoursOf(start)}>
        {dayInWords(start)}
      </TextLink>
    ),
  };
  return (
    <ChartCard
      title={title}
      says="Choose a day to see its hours."
      chart={
        <Bars
          series={series}
          isStacked={isStacked}
          bars={days.map((each) => barOf(each))}
          onOpen={(index) => void navigate({ to: '/usage', search: hoursOf(days[index] ?? '') })}
        />
      }
      table={<DataTable label={title} columns={[day, ...columns]} rows={rows} keyOf={({ start = '' }) => start} />}
    />
  );
}
