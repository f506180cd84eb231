import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { sentenceOf } from '../api/problem.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Money, Quantity } from '../patterns/money.tsx';

type Amount = Schemas['PreviewAmount'];

const columns: readonly Column<Amount>[] = [
  { title: 'Calls in a month', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Come to', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
];

interface Previewed {
  /** A price in the form of the API; null while nothing is typed. */
  readonly price: object | null;
  readonly quantities: readonly object[];
}

/** Shows what the service makes of a price while it is typed. It rates as an invoice does; nothing is computed here. */
export function PricePreview({ price, quantities }: Previewed): ReactNode {
  const [typed] = useDebouncedValue(price === null ? '' : JSON.stringify({ price, quantities }), 300);
  const preview = useQuery({
    queryKey: ['previewPrice', typed],
    queryFn: ({ signal }) => call('previewPrice', { body: JSON.parse(typed) as object, signal }),
    enabled: typed !== '',
    retry: false,
  });
  if (typed === '') return null;
  if (preview.isError) return <Text size="sm">{sentenceOf(preview.error)}</Text>;
  if (preview.data === undefined) return null;
  return (
    <Box maw={420}>
      <DataTable
        label="What it comes to"
        columns={columns}
        rows={preview.data.amounts}
        keyOf={({ calls }, index) => `${calls} ${index}`}
      />
    </Box>
  );
}
