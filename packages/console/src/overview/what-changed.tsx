import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { weeksByTool } from '../api/queries.ts';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { changeOf, pairWeeks, type Weeks } from './weeks.ts';

const columns: readonly Column<Weeks>[] = [
  {
    title: 'Tool',
    cell: ({ tool }) => (
      <TextLink to="/usage" search={{ tool_id: tool, granularity: 'day' }}>
        {tool}
      </TextLink>
    ),
  },
  { title: 'The week before', isFigure: true, cell: ({ before }) => <Money usd={before?.charge_usd} /> },
  { title: 'Last 7 days', isFigure: true, cell: ({ now }) => <Money usd={now?.charge_usd} /> },
  { title: 'Change', cell: changeOf },
];

/** The last seven days beside the seven before them, by tool. */
export function WhatChanged({ through }: { readonly through: string }): ReactNode {
  const weeks = weeksByTool(through);
  const [now, before] = [useQuery(weeks.last), useQuery(weeks.before)];
  return (
    <Loaded of={now}>
      {({ usage: after }) => (
        <Loaded of={before}>
          {({ usage: earlier }) =>
            after.length + earlier.length === 0 ? null : <Shown weeks={pairWeeks(after, earlier)} />
          }
        </Loaded>
      )}
    </Loaded>
  );
}

function Shown({ weeks }: { readonly weeks: readonly Weeks[] }): ReactNode {
  const navigate = useNavigate();
  const shown = weeks.slice(0, barsMax);
  return (
    <ChartCard
      title="What changed against the week before"
      says="The last 7 days until the full hour, beside the 7 days before them."
      chart={
        <Bars
          isSideways
          series={['Last 7 days', 'The week before']}
          bars={shown.map(({ tool, now, before }) => ({
            label: tool,
            heights: [now?.charge_usd ?? 0, before?.charge_usd ?? 0],
            says: [`Last 7 days ${amount(now)}`, `The week before ${amount(before)}`],
          }))}
          onOpen={(index) =>
            void navigate({ to: '/usage', search: { tool_id: shown[index]?.tool ?? '', granularity: 'day' } })
          }
        />
      }
      table={<DataTable label="Two weeks by tool" columns={columns} rows={weeks} keyOf={({ tool }) => tool} />}
      isOpen
    />
  );
}

function amount(row: Weeks['now']): string {
  return row?.charge_usd === undefined ? 'no calls' : formatUsd(row.charge_usd);
}
