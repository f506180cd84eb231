import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask, follow } from '../api/queries.ts';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { InvoiceLines } from './invoice-lines.tsx';
import { InvoicePath } from './invoice-path.tsx';

type Invoice = Schemas['UpcomingInvoice'];

/** An invoice, or the draft of this month, which grows with each call. */
export function InvoicePage(): ReactNode {
  const { id } = useParams({ from: '/shell/invoices/$id' });
  return id === 'draft' ? <Draft /> : <Issued id={id} />;
}

function Draft(): ReactNode {
  const draft = useQuery(follow('getUpcomingInvoice'));
  return (
    <Loaded title="Draft" of={draft}>
      {(invoice) => <Shown invoice={invoice} title={`Draft of ${invoice.period}`} />}
    </Loaded>
  );
}

function Issued({ id }: { readonly id: string }): ReactNode {
  const issued = useQuery(ask('getInvoice', { path: { id } }));
  return (
    <Loaded title="Invoice" of={issued}>
      {(invoice) => <Shown invoice={invoice} title={`Invoice ${invoice.number}`} />}
    </Loaded>
  );
}

function Shown({ invoice, title }: { readonly invoice: Invoice; readonly title: string }): ReactNode {
  return (
    <Page title={title} actions={invoice.id !== null && <PdfLink id={invoice.id} />}>
      {invoice.status === 'draft' && (
        <Text>It grows with each call, and is issued once the month has ended and everything of it is counted.</Text>
      )}
      <InvoiceFacts invoice={invoice} />
      {invoice.status !== 'draft' && <InvoicePath invoice={invoice} />}
      {invoice.lines.length === 0 ? (
        <Empty title="Nothing to bill yet.">
          <ButtonLink to="/passes/new">Make a pass</ButtonLink>
        </Empty>
      ) : (
        <InvoiceLines lines={invoice.lines} isTruncated={invoice.lines_truncated} />
      )}
    </Page>
  );
}

function PdfLink({ id }: { readonly id: string }): ReactNode {
  return (
    <Button component="a" variant="default" href={`/v1/billing/invoices/${encodeURIComponent(id)}.pdf`} download>
      Download PDF
    </Button>
  );
}
