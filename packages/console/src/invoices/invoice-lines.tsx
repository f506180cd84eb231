import type { Schemas } from '@tollgate/sdk/edge';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { lineColumns, lineKeyOf } from './line-columns.tsx';

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
  ...lineColumns,
];

interface Lined {
  readonly lines: readonly Line[];
  readonly isTruncated: boolean;
}

export function InvoiceLines({ lines, isTruncated }: Lined): ReactNode {
  return (
    <>
      <DataTable label="Lines" columns={columns} rows={lines} keyOf={lineKeyOf} />
      {isTruncated && <Text size="sm">Only the first lines are shown. The API lists all of them.</Text>}
    </>
  );
}
