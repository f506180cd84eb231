import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords, daysUntil } from '../patterns/day.ts';
import type { Bar } from './bars.tsx';
import { Bars, ChartCard } from './chart-card.tsx';

type Row = Schemas['UsageRow'];

export interface Days {
  readonly title: string;
  readonly usage: Schemas['Usage'];
  readonly series: readonly string[];
  readonly isStacked?: boolean;
  /** The columns beside the day. */
  readonly columns: readonly Column<Row>[];
  /** The heights of the bar of a day with calls, and what is read of it. */
  readonly bar: (row: Row) => Pick<Bar, 'heights' | 'says'>;
}

interface Opening {
  readonly says: string;
  /** Opens a day, given as `2026-11-01`. */
  readonly open: (day: string) => void;
  /** Opens the day of a row in the table. */
  readonly cell: (start: string) => ReactNode;
}

/** The days of this month as bars and as a table. */
export function MonthDays({ opening, ...days }: Days & { readonly opening?: Opening }): ReactNode {
  const { title, usage, series, isStacked = false, columns, bar } = days;
  const { usage: rows, counted_through: through } = usage;
  const dates = daysUntil(through);
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  const empty = { heights: series.map(() => 0), says: ['No calls'] };
  const barOf = (day: string, row = byDay.get(day)) => ({ label: dayInWords(day), ...(row ? bar(row) : empty) });
  const { cell = dayInWords } = opening ?? {};
  const day: Column<Row> = { title: 'Day (UTC)', cell: ({ start = '' }) => cell(start) };
  return (
    <ChartCard
      title={title}
      says={opening?.says ?? 'By the days of UTC.'}
      chart={
        <Bars
          series={series}
          isStacked={isStacked}
          bars={dates.map((date) => barOf(date))}
          {...(opening && { onOpen: (index: number) => opening.open(dates[index] ?? '') })}
        />
      }
      table={<DataTable label={title} columns={[day, ...columns]} rows={rows} keyOf={({ start = '' }) => start} />}
    />
  );
}
