import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { Bars, ChartCard } from '../charts/chart-card.tsx';
import { barsMax, largestFirst } from '../charts/largest.ts';
import { PassName, usePassNames } from '../passes/pass-name.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  { title: 'Pass', cell: ({ pass_id: id = null }) => <PassName id={id} otherwise="without a pass" /> },
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: charge }) => <Money usd={charge} /> },
];

/** The spending of this month by the passes that paid. A pass opens its page. */
export function SpendByPass(): ReactNode {
  const byPass = useQuery({ ...ask('getUsage', { query: { group_by: ['pass_id'] } }), refetchInterval: 15_000 });
  return <Loaded of={byPass}>{({ usage }) => <Shown rows={usage} />}</Loaded>;
}

function Shown({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const navigate = useNavigate();
  const nameOf = usePassNames();
  const sorted = largestFirst(rows);
  const shown = sorted.slice(0, barsMax);
  function open(index: number): void {
    const id = shown[index]?.pass_id;
    if (id != null) void navigate({ to: '/passes/$id', params: { id } });
  }
  return (
    <ChartCard
      title="Spent by pass"
      says={
        shown.length < rows.length ? `The ${shown.length} passes that paid the most.` : 'Choose a pass to see its cap.'
      }
      chart={
        <Bars
          isSideways
          series={['Charge']}
          bars={shown.map(({ pass_id: id = null, charge_usd: usd = 0, calls }) => ({
            label: id === null ? 'without a pass' : nameOf(id),
            heights: [usd],
            says: [formatUsd(usd), `${formatQuantity(calls)} calls`],
          }))}
          onOpen={open}
        />
      }
      table={
        <DataTable label="Spending by pass" columns={columns} rows={sorted} keyOf={({ pass_id: id }) => id ?? ''} />
      }
      isOpen
    />
  );
}
