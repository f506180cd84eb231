import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ByDay } from '../charts/by-day.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { hoursOfDay, type UsageSearch } from '../usage/usage-search.ts';
import { revenueBarOf, revenueColumns, revenueSeries } from './revenue-columns.tsx';

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
          series={revenueSeries}
          columns={revenueColumns}
          bar={revenueBarOf}
        />
      )}
    </Loaded>
  );
}

function earnedOn(day: string): UsageSearch {
  return { ...hoursOfDay(day), role: 'builder' };
}
