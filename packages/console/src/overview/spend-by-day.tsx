import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ByDay } from '../charts/by-day.tsx';
import type { Column } from '../patterns/data-table.tsx';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { hoursOfDay } from '../usage/usage-search.ts';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

/** The spending of each day of this month. A day opens its hours. */
export function SpendByDay(): ReactNode {
  const byDay = useQuery({ ...ask('getUsage', { query: { granularity: 'day' } }), refetchInterval: 15_000 });
  return (
    <Loaded of={byDay}>
      {(usage) => (
        <ByDay
          title="Spent by day"
          series={['Charge']}
          hoursOf={hoursOfDay}
          usage={usage}
          columns={columns}
          bar={barOf}
        />
      )}
    </Loaded>
  );
}

function barOf({ charge_usd: usd = 0, calls }: Row) {
  return { heights: [usd], says: [formatUsd(usd), `${formatQuantity(calls)} calls`] };
}
