import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax, largestFirst } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { Money, Quantity } from '../patterns/money.tsx';

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
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: charge }) => <Money usd={charge} /> },
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
          bars={shown.map(({ tool_id: tool = '', charge_usd: usd = 0, calls }) => ({
            label: tool,
            heights: [usd],
            says: [formatUsd(usd), `${formatQuantity(calls)} calls`],
          }))}
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
