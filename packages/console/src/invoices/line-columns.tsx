import type { Schemas } from '@tollgate/sdk/edge';
import type { Column } from '../patterns/data-table.tsx';
import { Money, Quantity } from '../patterns/money.tsx';

type Line = Schemas['InvoiceLine'];

/** The columns of a line beside its tool. */
export const lineColumns: readonly Column<Line>[] = [
  { title: 'Charge', cell: ({ name, adjustment_of: month }) => chargeName(name, month) },
  {
    title: 'Quantity',
    isFigure: true,
    cell: ({ quantity, unit }) => <Quantity of={quantity} unit={unit} />,
  },
  { title: 'Amount', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

export function lineKeyOf({ price_id: price, charge, adjustment_of: month }: Line): string {
  return `${price} ${charge} ${month ?? ''}`;
}

function chargeName(name: string | null, month: string | null): string {
  const shown = name ?? 'per use';
  return month === null ? shown : `${shown}, of ${month}: counted late`;
}
