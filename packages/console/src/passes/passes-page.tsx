import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
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
import { capInWords, statusOf, toolsInWords } from './pass-words.ts';

type Pass = Schemas['Pass'];

function columnsAt(now: string): readonly Column<Pass>[] {
  return [
    {
      title: 'Name',
      cell: ({ id, name }) => (
        <TextLink to="/passes/$id" params={{ id }}>
          {name}
        </TextLink>
      ),
    },
    { title: 'State', cell: (pass) => <StatusBadge status={statusOf(pass, now)} /> },
    { title: 'Tools', cell: ({ tools }) => toolsInWords(tools) },
    { title: 'Cap', cell: ({ cap }) => capInWords(cap) },
    { title: 'Spent', isFigure: true, cell: ({ spent_usd: spent }) => <Money usd={spent} /> },
    { title: 'Left', isFigure: true, cell: ({ remaining_usd: left }) => <Money usd={left} /> },
    { title: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

export function PassesPage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/passes' });
  const passes = useQuery(ask('listPasses', { query: { cursor } }));
  const live = useQuery(ask('getLiveness'));
  return (
    <Page title="Passes" actions={<MakePass />}>
      <Loaded of={passes}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No passes yet.">
              <Text>A pass is a key for an agent: it pays for the tools that you name, until its cap.</Text>
              <MakePass />
            </Empty>
          ) : (
            <>
              <DataTable
                label="Passes"
                columns={columnsAt(live.data?.now ?? '')}
                rows={page.passes}
                keyOf={({ id }) => id}
              />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function MakePass(): ReactNode {
  return <ButtonLink to="/passes/new">Make a pass</ButtonLink>;
}
