import { Stack } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { Facts } from '../patterns/facts.tsx';
import { Money } from '../patterns/money.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';

/** The sums and the times of an invoice. */
export function InvoiceFacts({ invoice }: { readonly invoice: Schemas['UpcomingInvoice'] }): ReactNode {
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
