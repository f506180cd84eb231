import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink } from './ids.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Payout = OperatorSchemas['OperatorPayout'];

const columns: readonly Column<Payout>[] = [
  {
    title: 'Period',
    cell: ({ id, period }) => (
      <TextLink to="/operator/payouts/$id" params={{ id }}>
        {period}
      </TextLink>
    ),
  },
  { title: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'To transfer', isFigure: true, cell: ({ net_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Failures', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Next try', cell: ({ next_attempt_at: at, status }) => <Time at={at} otherwise={waitOf(status)} /> },
];

/** A failed payout that is not tried again waits for its owner. */
export function waitOf(status: Payout['status']): string {
  return status === 'failed' ? 'waits for a payout account' : '–';
}

export function PayoutTable({ rows }: { readonly rows: readonly Payout[] }): ReactNode {
  return <DataTable label="Payouts" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
