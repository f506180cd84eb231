import type { Schemas } from '@tollgate/sdk/edge';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Money, Quantity } from '../patterns/money.tsx';

type Line = Schemas['InvoiceLine'];

const columns: readonly Column<Line>[] = [
  {
    title: 'Tool',
    cell: ({ tool_id: tool }) => (
      <TextLink to="/calls" search={{ tool_id: tool }}>
        {tool}
      </TextLink>
    ),
  },
  { title: 'Charge', cell: ({ name, adjustment_of: month }) => chargeName(name, month) },
  {
    title: 'Quantity',
    isFigure: true,
    cell: ({ quantity, unit }) => <Quantity of={quantity} unit={unit} />,
  },
  { title: 'Amount', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

function chargeName(name: string | null, month: string | null): string {
  const shown = name ?? 'per use';
  return month === null ? shown : `${shown}, of ${month}: counted late`;
}

interface Lined {
  readonly lines: readonly Line[];
  readonly isTruncated: boolean;
}

export function InvoiceLines({ lines, isTruncated }: Lined): ReactNode {
  return (
    <>
      <DataTable
        label="Lines"
        columns={columns}
        rows={lines}
        keyOf={({ price_id: price, charge, adjustment_of: month }) => `${price} ${charge} ${month ?? ''}`}
      />
      {isTruncated && <Text size="sm">Only the first lines are shown. The API lists all of them.</Text>}
    </>
  );
}
