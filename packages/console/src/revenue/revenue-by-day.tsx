import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { dayInWords, daysUntil } from '../patterns/day.ts';
import { formatUsd } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { hoursOfDay, type UsageSearch } from '../usage/usage-search.ts';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  {
    title: 'Day (UTC)',
    cell: ({ start = '' }) => (
      <TextLink to="/usage" search={earnedOn(start)}>
        {dayInWords(start)}
      </TextLink>
    ),
  },
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];

function earnedOn(day: string): UsageSearch {
  return { ...hoursOfDay(day), role: 'builder' };
}

/** The earning of each day of this month. A day opens its hours. */
export function RevenueByDay(): ReactNode {
  const byDay = useQuery({
    ...ask('getUsage', { query: { role: 'builder', granularity: 'day' } }),
    refetchInterval: 15_000,
  });
  return <Loaded of={byDay}>{(usage) => <Shown {...usage} />}</Loaded>;
}

function Shown({ usage: rows, counted_through: through }: Schemas['Usage']): ReactNode {
  const navigate = useNavigate();
  const days = daysUntil(through);
  const byDay = new Map(rows.map((row) => [row.start?.slice(0, 10), row]));
  return (
    <ChartCard
      title="Revenue by day"
      says="Choose a day to see its hours."
      chart={
        <Bars
          series={['You earn', 'Platform fee']}
          isStacked
          bars={days.map((day) => barOf(day, byDay.get(day)))}
          onOpen={(index) => void navigate({ to: '/usage', search: earnedOn(days[index] ?? '') })}
        />
      }
      table={<DataTable label="Revenue by day" columns={columns} rows={rows} keyOf={({ start = '' }) => start} />}
    />
  );
}

function barOf(day: string, row: Row | undefined) {
  const label = dayInWords(day);
  if (row === undefined) return { label, heights: [0, 0], says: ['No calls'] };
  const { earning_usd: earning = 0, fee_usd: fee = 0 } = row;
  return { label, heights: [earning, fee], says: [`You earn ${formatUsd(earning)}`, `Platform fee ${formatUsd(fee)}`] };
}
