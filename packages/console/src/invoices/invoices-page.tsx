import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink, TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import { InvoicesFilter } from './invoices-filter.tsx';
import { Pager } from '../patterns/pager.tsx';

type Invoice = Schemas['Invoice'];

const columns: readonly Column<Invoice>[] = [
  {
    title: 'Invoice',
    cell: ({ id, number }) => (
      <TextLink to="/invoices/$id" params={{ id }}>
        {number}
      </TextLink>
    ),
  },
  ...invoiceColumns,
];

export function InvoicesPage(): ReactNode {
  const search = useSearch({ from: '/shell/invoices' });
  const { cursor, status, period } = search;
  const query = { cursor, period, status: status as Invoice['status'] | undefined };
  const invoices = useQuery(ask('listInvoices', { query }));
  return (
    <Page title="Invoices" actions={<DraftLink />}>
      <InvoicesFilter search={search} />
      <Loaded of={invoices}>
        {(page) =>
          page.total === 0 ? (
            <Empty
              title={status === undefined && period === undefined ? 'No invoices yet.' : 'No invoices fit the filter.'}
            >
              <Text>The first one is issued when a month with calls has ended. Its draft is there already.</Text>
              <DraftLink />
            </Empty>
          ) : (
            <>
              <DataTable label="Invoices" columns={columns} rows={page.invoices} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function DraftLink(): ReactNode {
  return (
    <ButtonLink variant="default" to="/invoices/$id" params={{ id: 'draft' }}>
      Draft of this month
    </ButtonLink>
  );
}
