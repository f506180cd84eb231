import type { Schemas } from '@tollgate/sdk/edge';
import type { Bar } from '../charts/bars.tsx';
import type { Column } from '../patterns/data-table.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { Money, Quantity } from '../patterns/money.tsx';

type Row = Schemas['UsageRow'];

/** The columns of calls for the owner of their tool. */
export const revenueColumns: readonly Column<Row>[] = [
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];

export const revenueSeries = ['You earn', 'Platform fee'];

export function revenueBarOf({ earning_usd: earning = 0, fee_usd: fee = 0 }: Row): Pick<Bar, 'heights' | 'says'> {
  return { heights: [earning, fee], says: [`You earn ${formatUsd(earning)}`, `Platform fee ${formatUsd(fee)}`] };
}
