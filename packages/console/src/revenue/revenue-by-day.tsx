import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ByDay } from '../charts/by-day.tsx';
import type { Column } from '../patterns/data-table.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { hoursOfDay, type UsageSearch } from '../usage/usage-search.ts';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];

const series = ['You earn', 'Platform fee'];

/** The earning of each day of this month. A day opens its hours. */
export function RevenueByDay(): ReactNode {
  const byDay = useQuery({
    ...ask('getUsage', { query: { role: 'builder', granularity: 'day' } }),
    refetchInterval: 15_000,
  });
  return (
    <Loaded of={byDay}>
      {(usage) => (
        <ByDay
          title="Revenue by day"
          isStacked
          hoursOf={earnedOn}
          usage={usage}
          series={series}
          columns={columns}
          bar={barOf}
        />
      )}
    </Loaded>
  );
}

function earnedOn(day: string): UsageSearch {
  return { ...hoursOfDay(day), role: 'builder' };
}

function barOf({ earning_usd: earning = 0, fee_usd: fee = 0 }: Row) {
  return { heights: [earning, fee], says: [`You earn ${formatUsd(earning)}`, `Platform fee ${formatUsd(fee)}`] };
}
