import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax, largestFirst } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { spendBarOf, spendColumns } from './spend-columns.tsx';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  {
    title: 'Tool',
    cell: ({ tool_id: tool = '' }) => (
      <TextLink to="/calls" search={{ tool_id: tool }}>
        {tool}
      </TextLink>
    ),
  },
  ...spendColumns,
];

/** The spending of this month by tool. A tool opens its calls. */
export function SpendByTool({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const navigate = useNavigate();
  const sorted = largestFirst(rows);
  const shown = sorted.slice(0, barsMax);
  return (
    <ChartCard
      title="Spent by tool"
      says={
        shown.length < rows.length ? `The ${shown.length} tools that cost the most.` : 'Choose a tool to see its calls.'
      }
      chart={
        <Bars
          isSideways
          series={['Charge']}
          bars={shown.map((row) => ({ label: row.tool_id ?? '', ...spendBarOf(row) }))}
          onOpen={(index) => void navigate({ to: '/calls', search: { tool_id: shown[index]?.tool_id ?? '' } })}
        />
      }
      table={
        <DataTable label="Spending by tool" columns={columns} rows={sorted} keyOf={({ tool_id: tool = '' }) => tool} />
      }
      isOpen
    />
  );
}
