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
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { priceInWords } from '../tools/price-words.ts';

type Tool = Schemas['Tool'];

const columns: readonly Column<Tool>[] = [
  {
    title: 'Tool',
    cell: ({ slug, name }) => (
      <TextLink to="/catalogue/$slug" params={{ slug }}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Slug', cell: ({ slug }) => slug },
  { title: 'Sold by', cell: ({ sold_by: name }) => name ?? 'not named' },
  { title: 'Price', cell: ({ price }) => priceInWords(price).join('; ') },
  { title: 'MCP server', cell: ({ resource }) => resource ?? 'not named' },
  { title: 'State', cell: ({ archived }) => <StatusBadge status={archived ? 'archived' : 'active'} /> },
];

/** The tools that anybody may call, with their prices. */
export function CataloguePage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/catalogue' });
  const tools = useQuery(ask('listTools', { query: { owner: 'all', cursor } }));
  return (
    <Page title="Catalogue">
      <Loaded of={tools}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No tools yet.">
              <Text>Nobody has registered one. Yours would be the first.</Text>
              <ButtonLink to="/tools">Register a tool</ButtonLink>
            </Empty>
          ) : (
            <>
              <DataTable label="Catalogue" columns={columns} rows={page.tools} keyOf={({ slug }) => slug} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
