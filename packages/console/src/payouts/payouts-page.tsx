import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink, TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { PayoutAccount } from './payout-account.tsx';

type Payout = Schemas['Payout'];

const columns: readonly Column<Payout>[] = [
  {
    title: 'Month',
    cell: ({ id, period }) => (
      <TextLink to="/payouts/$id" params={{ id }}>
        {period}
      </TextLink>
    ),
  },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Gross', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'You get', isFigure: true, cell: ({ net_usd: usd }) => <Money usd={usd} /> },
  { title: 'Paid', cell: ({ paid_at: at }) => <Time at={at} otherwise="not yet" /> },
];

const states = ['', 'pending', 'scheduled', 'paid', 'failed'].map((value) => ({ value, label: value || 'Any' }));

/** Lists what was earned and where it goes: a payout for each month. */
export function PayoutsPage(): ReactNode {
  const { cursor, status } = useSearch({ from: '/shell/payouts' });
  const navigate = useNavigate({ from: '/payouts' });
  const query = { cursor, status: status as Payout['status'] | undefined };
  const payouts = useQuery(ask('listPayouts', { query }));
  return (
    <Page title="Payouts">
      <Text>
        A month is paid out on its payout day, some days after its end, once your consumers have paid. Money that comes
        later is in the payout of a later month.
      </Text>
      <PayoutAccount />
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <NativeSelect
          label="State"
          data={states}
          value={status ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            void navigate({ search: chosen === '' ? {} : { status: chosen } });
          }}
        />
      </SimpleGrid>
      <Loaded of={payouts}>
        {(page) =>
          page.total === 0 ? (
            <Empty title={status === undefined ? 'No payouts yet.' : 'No payouts in this state.'}>
              <Text>The first one is here once another account has called a tool of yours.</Text>
              <ButtonLink to="/tools">See your tools</ButtonLink>
            </Empty>
          ) : (
            <>
              <DataTable label="Payouts" columns={columns} rows={page.payouts} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
