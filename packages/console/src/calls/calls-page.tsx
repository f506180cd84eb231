import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask, follow } from '../api/queries.ts';
import { newestPasses, PassName } from '../passes/pass-name.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink, TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { CallsFilter } from './calls-filter.tsx';

type Call = Schemas['ConsumerEvent'];

const columns: readonly Column<Call>[] = [
  {
    title: 'When',
    cell: ({ event_id: id, timestamp }) => (
      <TextLink to="/calls/$id" params={{ id }}>
        <Time at={timestamp} />
      </TextLink>
    ),
  },
  { title: 'Tool', cell: ({ tool_id: tool }) => tool },
  { title: 'Outcome', cell: ({ success }) => <StatusBadge status={success ? 'succeeded' : 'failed'} /> },
  { title: 'Pass', cell: ({ pass_id: id }) => <PassName id={id} otherwise="–" /> },
  {
    title: 'Took',
    isFigure: true,
    cell: ({ duration_ms: took }) =>
      took === null ? (
        '–'
      ) : (
        <>
          <Quantity of={took} /> ms
        </>
      ),
  },
];

/** The calls of the account. The newest are on their own way: nobody reloads. */
export function CallsPage(): ReactNode {
  const search = useSearch({ from: '/shell/calls' });
  const query = { query: { ...search, limit: 20 } };
  const calls = useQuery(search.cursor === undefined ? follow('listEvents', query) : ask('listEvents', query));
  const passes = useQuery(newestPasses);
  return (
    <Page title="Calls">
      <CallsFilter search={search} passes={passes.data?.passes ?? []} />
      <Loaded of={calls}>
        {({ events, next_cursor: next }) =>
          events.length === 0 ? (
            <NoCalls isFiltered={Object.keys(search).length > 0} />
          ) : (
            <>
              <DataTable
                label="Calls, newest first"
                columns={columns}
                rows={events as Call[]} // the query asks for those of a consumer
                keyOf={({ event_id: id }) => id}
              />
              <Pager cursor={search.cursor} next={next} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Empty title="No calls fit the filter yet.">
        <ButtonLink variant="default" to="/calls">
          Show all calls
        </ButtonLink>
      </Empty>
    );
  }
  return (
    <Empty title="No calls yet.">
      <Text>Hand a pass to your agent. Its calls show here by themselves, within a second.</Text>
      <ButtonLink to="/passes/new">Make a pass</ButtonLink>
    </Empty>
  );
}
