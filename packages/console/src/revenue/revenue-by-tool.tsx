import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax, largestFirst } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { revenueColumns } from './revenue-columns.tsx';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  {
    title: 'Tool',
    cell: ({ tool_id: tool = '' }) => (
      <TextLink to="/usage" search={earnedBy(tool)}>
        {tool}
      </TextLink>
    ),
  },
  ...revenueColumns,
];

const earnedBy = (tool: string) => ({ role: 'builder', tool_id: tool, by: 'consumer_id' });

/** The earning of this month by tool. A tool opens its consumers. */
export function RevenueByTool({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const navigate = useNavigate();
  const sorted = largestFirst(rows);
  const shown = sorted.slice(0, barsMax);
  return (
    <ChartCard
      title="Revenue by tool"
      says="Choose a tool to see who calls it."
      chart={
        <Bars
          isSideways
          series={['You earn']}
          bars={shown.map(({ tool_id: tool = '', earning_usd: earning = 0, fee_usd: fee = 0 }) => ({
            label: tool,
            heights: [earning],
            says: [`You earn ${formatUsd(earning)}`, `Platform fee ${formatUsd(fee)}`],
          }))}
          onOpen={(index) => void navigate({ to: '/usage', search: earnedBy(shown[index]?.tool_id ?? '') })}
        />
      }
      table={
        <DataTable label="Revenue by tool" columns={columns} rows={sorted} keyOf={({ tool_id: tool = '' }) => tool} />
      }
      isOpen
    />
  );
}
