import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sumAgainMs } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink, SubjectLink } from './ids.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type Order = OperatorSchemas['UnknownOutcome'];

const columns: readonly Column<Order>[] = [
  { title: 'Order', cell: ({ kind }) => kind },
  {
    title: 'Of',
    cell: ({ invoice_id: invoiceId, payout_id: payoutId }) => <SubjectLink {...{ invoiceId, payoutId }} />,
  },
  { title: 'Account', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Started', cell: ({ started_at: at }) => <Time at={at} /> },
  { title: 'Looked up next', cell: ({ look_at: at }) => <Time at={at} /> },
];

export function UnknownOutcomesPage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/operator/unknown-outcomes' });
  const orders = useQuery({
    ...askOperator('listUnknownOutcomes', { query: { cursor } }),
    refetchInterval: sumAgainMs,
  });
  return (
    <Page title="Orders of unknown outcome">
      <Text>
        The processor gave no answer to these. Each is looked up until its outcome is known; until then its money counts
        as neither moved nor not moved, and no second order is sent.
      </Text>
      <Loaded of={orders}>
        {(page) =>
          page.total === 0 ? (
            <Alert color="green" role="status" title="The outcome of every order is known." />
          ) : (
            <>
              <DataTable
                label="Orders of unknown outcome"
                columns={columns}
                rows={page.orders}
                keyOf={({ attempt_id: id }) => id}
              />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
