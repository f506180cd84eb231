import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { Filters, SelectFilter, TextFilter } from './filters.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type Bucket = OperatorSchemas['AgingBucket'];
type Status = OperatorSchemas['InvoiceSummary']['status'];

const statuses = ['open', 'past_due', 'paid', 'carried', 'uncollectible', 'void'];

const ages: Readonly<Record<Bucket['age'], string>> = {
  not_due: 'Not due',
  '1_30_days': '1 to 30 days',
  '31_60_days': '31 to 60 days',
  over_60_days: 'Over 60 days',
};

const ageColumns: readonly Column<Bucket>[] = [
  { title: 'Due since', cell: ({ age }) => ages[age] },
  { title: 'Invoices', isFigure: true, cell: ({ invoices }) => <Quantity of={invoices} /> },
  { title: 'Owed', isFigure: true, cell: ({ owed_usd: usd }) => <Money usd={usd} /> },
];

/** The invoices of all accounts, and what is owed by its age. */
export function OperatorInvoicesPage(): ReactNode {
  const { cursor, status, held, ...search } = useSearch({ from: '/shell/operator/invoices' });
  const query = { ...search, status: status as Status | undefined, held: held as 'true' | undefined, cursor };
  const invoices = useQuery(askOperator('listAllInvoices', { query }));
  return (
    <Page title="Invoices of all accounts">
      <Aging />
      <Filters>
        <SelectFilter name="status" label="State" options={statuses} />
        <TextFilter name="period" label="Period" placeholder="2026-11" />
        <TextFilter name="account_id" label="Account id" />
        <SelectFilter name="held" label="Waits for a confirmation" options={['true']} />
      </Filters>
      <Loaded of={invoices}>
        {(page) =>
          page.total === 0 ? (
            <NoInvoices />
          ) : (
            <>
              <InvoiceTable rows={page.invoices} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Aging(): ReactNode {
  const aging = useQuery(askOperator('getAging'));
  return (
    <Section title="Unpaid, by age">
      <Loaded of={aging}>
        {({ buckets, owed_usd: owed }) => (
          <>
            <DataTable label="Unpaid invoices by age" columns={ageColumns} rows={buckets} keyOf={({ age }) => age} />
            <Text size="sm">
              <Money usd={owed} /> is owed in all.
            </Text>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function NoInvoices(): ReactNode {
  return (
    <Empty title="No invoice fits the filter.">
      <Text>Invoices are issued when a month with calls has ended and is counted.</Text>
      <ButtonLink variant="default" to="/operator/period">
        See the close of the month
      </ButtonLink>
    </Empty>
  );
}
