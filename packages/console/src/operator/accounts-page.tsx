import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Filters, SelectFilter, TextFilter } from './filters.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type Account = OperatorSchemas['OperatorAccount'];

const columns: readonly Column<Account>[] = [
  {
    title: 'E-mail',
    cell: ({ account_id: id, email }) => (
      <TextLink to="/operator/accounts/$id" params={{ id }}>
        {email}
      </TextLink>
    ),
  },
  { title: 'State', cell: ({ suspension }) => <StatusBadge status={suspension === null ? 'active' : 'suspended'} /> },
  { title: 'E-mail confirmed', cell: ({ email_verified: verified }) => (verified ? 'yes' : 'no') },
  { title: 'Since', cell: ({ created_at: at }) => <Time at={at} /> },
];

export function AccountsPage(): ReactNode {
  const { email, status, cursor } = useSearch({ from: '/shell/operator/accounts' });
  const query = { email, status: status as 'active' | 'suspended' | undefined, cursor }; // the service refuses others
  const accounts = useQuery(askOperator('listAccounts', { query }));
  return (
    <Page title="Accounts">
      <Filters>
        <TextFilter name="email" label="E-mail" placeholder="ada@example.com" />
        <SelectFilter name="status" label="State" options={['active', 'suspended']} />
      </Filters>
      <Loaded of={accounts}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No account fits the filter.">
              <Text>An e-mail has to be whole: ada@example.com.</Text>
            </Empty>
          ) : (
            <>
              <DataTable label="Accounts" columns={columns} rows={page.accounts} keyOf={({ account_id: id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
