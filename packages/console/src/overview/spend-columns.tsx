import type { Schemas } from '@tollgate/sdk/edge';
import type { Bar } from '../charts/bars.tsx';
import type { Column } from '../patterns/data-table.tsx';
import { formatQuantity, formatUsd } from '../patterns/format-usd.ts';
import { Money, Quantity } from '../patterns/money.tsx';

type Row = Schemas['UsageRow'];

/** The columns of calls for who made them. */
export const spendColumns: readonly Column<Row>[] = [
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

export function spendBarOf({ charge_usd: usd = 0, calls }: Row): Pick<Bar, 'heights' | 'says'> {
  return { heights: [usd], says: [formatUsd(usd), `${formatQuantity(calls)} calls`] };
}
