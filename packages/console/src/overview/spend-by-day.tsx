import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords, daysUntil } from '../patterns/day.ts';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { hoursOfDay } from '../usage/usage-search.ts';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  {
    title: 'Day (UTC)',
    cell: ({ start = '' }) => (
      <TextLink to="/usage" search={hoursOfDay(start)}>
        {dayInWords(start)}
      </TextLink>
    ),
  },
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

/** The spending of each day of this month. A day opens its hours. */
export function SpendByDay(): ReactNode {
  const byDay = useQuery({ ...ask('getUsage', { query: { granularity: 'day' } }), refetchInterval: 15_000 });
  return <Loaded of={byDay}>{(usage) => <Shown {...usage} />}</Loaded>;
}

function Shown({ usage: rows, counted_through: through }: Schemas['Usage']): ReactNode {
  const navigate = useNavigate();
  const days = daysUntil(through);
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  return (
    <ChartCard
      title="Spent by day"
      says="Choose a day to see its hours."
      chart={
        <Bars
          series={['Charge']}
          bars={days.map((day) => barOf(day, byDay.get(day)))}
          onOpen={(index) => void navigate({ to: '/usage', search: hoursOfDay(days[index] ?? '') })}
        />
      }
      table={<DataTable label="Spent by day" columns={columns} rows={rows} keyOf={({ start = '' }) => start} />}
    />
  );
}

function barOf(day: string, row: Row | undefined) {
  const label = dayInWords(day);
  if (row === undefined) return { label, heights: [0], says: ['No calls'] };
  const { charge_usd: usd = 0, calls } = row;
  return { label, heights: [usd], says: [formatUsd(usd), `${formatQuantity(calls)} calls`] };
}
