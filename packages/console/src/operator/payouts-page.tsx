import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../patterns/empty.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Filters, SelectFilter, TextFilter } from './filters.tsx';
import { askOperator } from './operator-api.ts';
import { PayoutTable } from './payout-table.tsx';

export function OperatorPayoutsPage(): ReactNode {
  const { cursor, status, ...search } = useSearch({ from: '/shell/operator/payouts' });
  const query = { ...search, status: status as 'scheduled' | 'paid' | 'failed' | undefined, cursor };
  const payouts = useQuery(askOperator('listAllPayouts', { query }));
  return (
    <Page title="Payouts of all accounts">
      <Filters>
        <SelectFilter name="status" label="State" options={['scheduled', 'paid', 'failed']} />
        <TextFilter name="period" label="Period" placeholder="2026-11" />
        <TextFilter name="account_id" label="Account id" />
      </Filters>
      <Loaded of={payouts}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No payout fits the filter.">
              <Text>A payout is stored on the payout day of its month. Until then its builder sees it as pending.</Text>
            </Empty>
          ) : (
            <>
              <PayoutTable rows={page.payouts} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
