import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatQuantity } from '../patterns/format-usd.ts';
import { TextLink } from '../patterns/links.tsx';
import { Quantity } from '../patterns/money.tsx';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  {
    title: 'Tool',
    cell: ({ tool_id: tool = '' }) => (
      <TextLink to="/usage" search={failedOf(tool)}>
        {tool}
      </TextLink>
    ),
  },
  { title: 'Succeeded', isFigure: true, cell: ({ successes }) => <Quantity of={successes} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
];

const failedOf = (tool: string) => ({ role: 'builder', tool_id: tool, by: 'success', granularity: 'day' });

/** The failed calls of this month by tool. A tool opens its days. */
export function Failures({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const navigate = useNavigate();
  const sorted = rows.toSorted((left, right) => right.failures - left.failures);
  const shown = sorted.slice(0, barsMax);
  return (
    <ChartCard
      title="Failed calls"
      says="Choose a tool to see its days."
      chart={
        <Bars
          isSideways
          isStacked
          series={['Succeeded', 'Failed']}
          bars={shown.map(({ tool_id: tool = '', successes, failures }) => ({
            label: tool,
            heights: [successes, failures],
            says: [`${formatQuantity(successes)} succeeded`, `${formatQuantity(failures)} failed`],
          }))}
          onOpen={(index) => void navigate({ to: '/usage', search: failedOf(shown[index]?.tool_id ?? '') })}
        />
      }
      table={
        <DataTable
          label="Failed calls by tool"
          columns={columns}
          rows={sorted}
          keyOf={({ tool_id: tool = '' }) => tool}
        />
      }
      isOpen
    />
  );
}
