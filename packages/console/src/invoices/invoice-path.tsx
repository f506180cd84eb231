import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ChartCard, Flow } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Money } from '../patterns/money.tsx';
import { saidOf, stationsOf, streamsOf } from './invoice-flow.ts';

const columns: readonly Column<ReturnType<typeof stationsOf>[number]>[] = [
  { title: 'Station', cell: ({ name }) => name },
  { title: 'Amount', isFigure: true, cell: ({ usd }) => <Money usd={usd} /> },
  { title: 'Meaning', cell: ({ says }) => says },
];

/** The path of an invoice's money, from its calls to what paid it. */
export function InvoicePath({ invoice }: { readonly invoice: Schemas['UpcomingInvoice'] }): ReactNode {
  const streams = streamsOf(invoice);
  if (streams.length === 0) return null;
  return (
    <ChartCard
      title="The path of the money"
      says="From the calls to what paid for them."
      chart={<Flow streams={streams} says={saidOf(invoice)} />}
      table={
        <DataTable
          label="The path of the money"
          columns={columns}
          rows={stationsOf(invoice)}
          keyOf={({ name }) => name}
        />
      }
    />
  );
}
