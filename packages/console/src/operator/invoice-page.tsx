import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink } from './ids.tsx';
import { InvoiceActs } from './invoice-acts.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type Invoice = OperatorSchemas['InvoiceSummary'];
type Attempt = OperatorSchemas['ProcessorAttempt'];
type Refund = OperatorSchemas['Refund'];

export function OperatorInvoicePage(): ReactNode {
  const { id } = useParams({ from: '/shell/operator/invoices/$id' });
  const found = useQuery(askOperator('listAllInvoices', { query: { invoice_id: id } }));
  return (
    <Loaded title="Invoice" of={found}>
      {({ invoices: [invoice] }) => (invoice === undefined ? <NoInvoice /> : <Shown invoice={invoice} />)}
    </Loaded>
  );
}

function NoInvoice(): ReactNode {
  return (
    <Page title="There is no such invoice">
      <Empty title="No invoice has this id.">
        <ButtonLink variant="default" to="/operator/invoices">
          Show all invoices
        </ButtonLink>
      </Empty>
    </Page>
  );
}

function Shown({ invoice }: { readonly invoice: Invoice }): ReactNode {
  const { id, number, held_for: held } = invoice;
  return (
    <Page title={`Invoice ${number}`}>
      <Facts
        facts={{
          State: <StatusBadge status={invoice.status} />,
          ...(held !== null && { 'Waits for': held.replaceAll('_', ' ') }),
          Account: <AccountLink id={invoice.account_id} />,
          Period: invoice.period,
          Total: <Money usd={invoice.total_usd} />,
          'Paid by balance': <Money usd={invoice.balance_paid_usd} />,
          'Paid by card': <Money usd={invoice.card_paid_usd} />,
          Refunded: <Money usd={invoice.refunded_usd} />,
          Issued: <Time at={invoice.issued_at} />,
          Due: <Time at={invoice.due_at} />,
          Paid: <Time at={invoice.paid_at} otherwise="not yet" />,
        }}
      />
      <InvoiceActs invoice={invoice} />
      <Charges id={id} />
      <Refunds id={id} />
    </Page>
  );
}

const attemptColumns: readonly Column<Attempt>[] = [
  { title: 'Charge', cell: ({ number }) => number },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Refused as', cell: ({ failure_code: code }) => code ?? '–' },
  { title: 'At the processor', cell: ({ processor_object_id: object }) => object ?? 'not known' },
  { title: 'Started', cell: ({ started_at: at }) => <Time at={at} /> },
];

function Charges({ id }: { readonly id: string }): ReactNode {
  const attempts = useQuery(askOperator('listInvoiceAttempts', { path: { invoice_id: id } }));
  return (
    <Section title="Charges">
      <Loaded of={attempts}>
        {(page) =>
          page.total === 0 ? (
            <Text>None yet.</Text>
          ) : (
            <DataTable label="Charges" columns={attemptColumns} rows={page.attempts} keyOf={(attempt) => attempt.id} />
          )
        }
      </Loaded>
    </Section>
  );
}

const refundColumns: readonly Column<Refund>[] = [
  { title: 'Ordered', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Cause', cell: ({ cause }) => cause },
  { title: 'Refused as', cell: ({ failure_code: code }) => code ?? '–' },
];

function Refunds({ id }: { readonly id: string }): ReactNode {
  const refunds = useQuery(askOperator('listRefunds', { path: { invoice_id: id } }));
  return (
    <Section title="Refunds">
      <Loaded of={refunds}>
        {(page) =>
          page.total === 0 ? (
            <Text>None.</Text>
          ) : (
            <DataTable label="Refunds" columns={refundColumns} rows={page.refunds} keyOf={(refund) => refund.id} />
          )
        }
      </Loaded>
    </Section>
  );
}
