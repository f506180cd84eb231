import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ByDay } from '../charts/by-day.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { hoursOfDay } from '../usage/usage-search.ts';
import { spendBarOf, spendColumns } from './spend-columns.tsx';

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
          columns={spendColumns}
          bar={spendBarOf}
        />
      )}
    </Loaded>
  );
}
