import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Time } from '../patterns/time.tsx';
import { Filters, SelectFilter, TextFilter } from './filters.tsx';
import { AccountLink } from './ids.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type DeadLetter = OperatorSchemas['DeadLetter'];

const columns: readonly Column<DeadLetter>[] = [
  {
    title: 'Record',
    cell: ({ id }) => (
      <TextLink to="/operator/dead-letters/$id" params={{ id }}>
        {id}
      </TextLink>
    ),
  },
  { title: 'Reason', cell: ({ code }) => code.replaceAll('_', ' ') },
  { title: 'Tool', cell: ({ tool_id: tool }) => tool ?? 'cannot be read' },
  { title: 'Consumer', cell: ({ consumer_id: id }) => <AccountLink id={id} /> },
  { title: 'Stored', cell: ({ stored_at: at }) => <Time at={at} /> },
  { title: 'Replayed', cell: ({ replayed_at: at }) => <Time at={at} otherwise="not yet" /> },
];

const eachCounted = 'No dead letters: each record was counted.';

/** Records of the log that were not counted. */
export function DeadLettersPage(): ReactNode {
  const { cursor, code, replayed } = useSearch({ from: '/shell/operator/dead-letters' });
  const query = { code, replayed: replayed as 'true' | 'false' | undefined, cursor };
  const isFiltered = code !== undefined || replayed !== undefined;
  const letters = useQuery(askOperator('listDeadLetters', { query }));
  return (
    <Page title="Dead letters">
      <Filters>
        <TextFilter name="code" label="Reason" placeholder="idempotency_conflict" />
        <SelectFilter name="replayed" label="Was replayed" options={['false', 'true']} />
      </Filters>
      <Loaded of={letters}>
        {(page) =>
          page.total === 0 ? (
            <Alert color="green" role="status" title={isFiltered ? 'No dead letter fits the filter.' : eachCounted} />
          ) : (
            <>
              <DataTable label="Dead letters" columns={columns} rows={page.dead_letters} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
