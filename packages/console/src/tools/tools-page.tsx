import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { PricePreview } from './price-preview.tsx';
import { priceInWords } from './price-words.ts';

type Tool = Schemas['Tool'];

const columns: readonly Column<Tool>[] = [
  { title: 'Tool', cell: ({ slug }) => slug },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'State', cell: ({ archived }) => <StatusBadge status={archived ? 'archived' : 'active'} /> },
  { title: 'Price', cell: ({ price }) => priceInWords(price).join('; ') },
  { title: 'MCP server', cell: ({ resource }) => resource ?? 'not named' },
  { title: 'Since', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The tools that the account owns and earns by. */
export function ToolsPage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/tools' });
  const tools = useQuery(ask('listTools', { query: { cursor } }));
  return (
    <Page title="Tools">
      <Loaded of={tools}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No tools of yours yet.">
              <Text>Register one below, then serve it: the documentation of MCP servers says how, in ten lines.</Text>
            </Empty>
          ) : (
            <>
              <DataTable label="Your tools" columns={columns} rows={page.tools} keyOf={({ slug }) => slug} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
      <NewTool key={tools.data?.total} />
    </Page>
  );
}

function NewTool(): ReactNode {
  const client = useQueryClient();
  const [perCall, setPerCall] = useState('');
  function send(fields: FormData, idempotencyKey: string): Promise<Tool> {
    const price = { per_call_usd: textOf(fields, 'price') };
    return call('createTool', {
      body: { slug: textOf(fields, 'slug'), name: textOf(fields, 'name'), price },
      idempotencyKey,
    });
  }
  return (
    <Section title="Register a tool">
      <Form submit="Register tool" send={send} onDone={() => void client.invalidateQueries()}>
        {(errorOf) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput name="slug" label="Slug" placeholder="web-search" error={errorOf('/slug')} />
            <TextInput name="name" label="Name" placeholder="Web search" error={errorOf('/name')} />
            <TextInput
              name="price"
              inputMode="decimal"
              label="US dollars per call"
              placeholder="0.002"
              value={perCall}
              onChange={(event) => setPerCall(event.currentTarget.value)}
              error={errorOf('/price')}
            />
          </SimpleGrid>
        )}
      </Form>
      <PricePreview perCall={perCall} />
    </Section>
  );
}
