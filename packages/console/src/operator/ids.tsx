import type { ReactNode } from 'react';
import { TextLink } from '../patterns/links.tsx';

interface Identified {
  readonly id: string | null;
}

/** The end of an id tells those of one hour apart; the whole id is its title. */
function shortened(id: string): ReactNode {
  return <span title={id}>…{id.slice(-8)}</span>;
}

export function AccountLink({ id }: Identified): ReactNode {
  if (id === null) return '–';
  return (
    <TextLink to="/operator/accounts/$id" params={{ id }}>
      {shortened(id)}
    </TextLink>
  );
}

/** The invoice or the payout that an order is of. */
export function SubjectLink({
  invoiceId,
  payoutId,
}: {
  readonly invoiceId: string | null;
  payoutId: string | null;
}): ReactNode {
  if (invoiceId !== null) {
    return (
      <TextLink to="/operator/invoices/$id" params={{ id: invoiceId }}>
        invoice {shortened(invoiceId)}
      </TextLink>
    );
  }
  if (payoutId === null) return 'a top-up';
  return (
    <TextLink to="/operator/payouts/$id" params={{ id: payoutId }}>
      payout {shortened(payoutId)}
    </TextLink>
  );
}
