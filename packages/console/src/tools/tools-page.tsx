import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { emptyCharge, type PriceDraft, toPriceInput } from './price-draft.ts';
import { PriceEditor } from './price-editor.tsx';
import { priceInWords } from './price-words.ts';

type Tool = Schemas['Tool'];

const columns: readonly Column<Tool>[] = [
  {
    title: 'Tool',
    cell: ({ slug }) => (
      <TextLink to="/tools/$slug" params={{ slug }}>
        {slug}
      </TextLink>
    ),
  },
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
      <NewTool />
    </Page>
  );
}

function NewTool(): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<PriceDraft>({ charges: [emptyCharge], billFailed: false });
  const send = (fields: FormData, idempotencyKey: string): Promise<Tool> =>
    call('createTool', {
      body: { slug: textOf(fields, 'slug'), name: textOf(fields, 'name'), price: toPriceInput(draft) },
      idempotencyKey,
    });
  function done({ slug }: Tool): void {
    void client.invalidateQueries();
    void navigate({ to: '/tools/$slug', params: { slug } });
  }
  return (
    <Section title="Register a tool">
      <Form submit="Register tool" send={send} onDone={done}>
        {(errorOf) => (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput name="slug" label="Slug" placeholder="web-search" error={errorOf('/slug')} />
              <TextInput name="name" label="Name" placeholder="Web search" error={errorOf('/name')} />
            </SimpleGrid>
            <PriceEditor draft={draft} onChange={setDraft} errorOf={(pointer) => errorOf(`/price${pointer}`)} />
          </>
        )}
      </Form>
    </Section>
  );
}
