import { Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { Facts } from '../patterns/facts.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { NewVersion } from './new-version.tsx';
import { PasteServer } from './paste-server.tsx';
import { PriceVersions } from './price-versions.tsx';
import { priceInWords } from './price-words.ts';

type Tool = Schemas['Tool'];

/** A tool of the account: its prices, its server, and how to serve it. */
export function ToolPage(): ReactNode {
  const { slug } = useParams({ from: '/shell/tools/$slug' });
  const tool = useQuery(ask('getTool', { path: { slug } }));
  return (
    <Loaded title="Tool" of={tool}>
      {(shown) => <Shown tool={shown} />}
    </Loaded>
  );
}

function Shown({ tool }: { readonly tool: Tool }): ReactNode {
  const { slug, archived: isArchived } = tool;
  return (
    <Page
      title={tool.name}
      actions={
        <ButtonLink variant="default" to="/usage" search={{ role: 'builder', tool_id: slug, granularity: 'day' }}>
          Its usage
        </ButtonLink>
      }
    >
      <Facts
        facts={{
          Slug: slug,
          State: <StatusBadge status={isArchived ? 'archived' : 'active'} />,
          Price: priceInWords(tool.price).join('; '),
          'MCP server': tool.resource ?? 'not named',
          Description: tool.description ?? 'none',
          Since: <Time at={tool.created_at} />,
        }}
      />
      {!isArchived && <PasteServer slug={slug} />}
      {!isArchived && <NameServer tool={tool} />}
      {!isArchived && <NewVersion tool={tool} />}
      <PriceVersions slug={slug} />
      {!isArchived && (
        <Group>
          <Confirm
            label="Archive tool"
            isDestructive
            act={() => call('archiveTool', { path: { slug }, body: {}, idempotencyKey: crypto.randomUUID() })}
          >
            <Text>
              Within a second every call of {slug} is refused, and that is final: nobody can use the name again. Calls
              that were made are still charged and paid out.
            </Text>
          </Confirm>
        </Group>
      )}
    </Page>
  );
}

function NameServer({ tool: { slug, resource } }: { readonly tool: Tool }): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData) => {
    const address = textOf(fields, 'resource');
    return call('updateTool', { path: { slug }, body: { resource: address === '' ? null : address } });
  };
  return (
    <Section title="Its public address">
      <Form submit="Save address" send={send} onDone={() => void client.invalidateQueries()}>
        {(errorOf) => (
          <TextInput
            name="resource"
            label="Address of the MCP server"
            description="Passes and tokens are pasted with it. The server there proves that it is yours, so it must run first."
            placeholder="https://mcp.example.com/mcp"
            defaultValue={resource ?? ''}
            error={errorOf('/resource')}
          />
        )}
      </Form>
    </Section>
  );
}
