import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask, follow } from '../api/queries.ts';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
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

function InvoiceFacts({ invoice }: { readonly invoice: Invoice }): ReactNode {
  return (
    <Stack gap={0}>
      <Facts
        facts={{
          State: <StatusBadge status={invoice.status} />,
          Period: invoice.period,
          Lines: <Money usd={invoice.charge_usd} />,
          'Carried in': <Money usd={invoice.carried_in_usd} />,
          Total: <Money usd={invoice.total_usd} />,
          'Carried out': <Money usd={invoice.carried_out_usd} />,
          'Paid by balance': <Money usd={invoice.balance_paid_usd} />,
          'Paid by card': <Money usd={invoice.card_paid_usd} />,
          Refunded: <Money usd={invoice.refunded_usd} />,
          ...(invoice.status !== 'draft' && {
            Issued: <Time at={invoice.issued_at} />,
            Due: <Time at={invoice.due_at} />,
            Paid: <Time at={invoice.paid_at} otherwise="not yet" />,
          }),
        }}
      />
    </Stack>
  );
}
