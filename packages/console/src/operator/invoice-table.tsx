import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Money } from '../patterns/money.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink } from './ids.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Invoice = OperatorSchemas['InvoiceSummary'];

const columns: readonly Column<Invoice>[] = [
  {
    title: 'Invoice',
    cell: ({ id, number }) => (
      <TextLink to="/operator/invoices/$id" params={{ id }}>
        {number}
      </TextLink>
    ),
  },
  { title: 'Period', cell: ({ period }) => period },
  { title: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  {
    title: 'State',
    cell: ({ status, held_for: held }) => (
      <Group gap="xs">
        <StatusBadge status={status} />
        {held !== null && `waits for ${held.replaceAll('_', ' ')}`}
      </Group>
    ),
  },
  { title: 'Total', isFigure: true, cell: ({ total_usd: usd }) => <Money usd={usd} /> },
  { title: 'Due', cell: ({ due_at: at }) => <Time at={at} /> },
];

export function InvoiceTable({ rows }: { readonly rows: readonly Invoice[] }): ReactNode {
  return <DataTable label="Invoices" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
