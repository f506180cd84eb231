import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { ShownOnce } from '../patterns/shown-once.tsx';
import { Time } from '../patterns/time.tsx';

type Key = Schemas['ApiKey'];

const columns: readonly Column<Key>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Key', cell: ({ prefix, last_four: end }) => `${prefix}…${end}` },
  { title: 'Opens', cell: ({ can }) => can.join(', ') },
  { title: 'Last used', cell: ({ last_used_at: at }) => <Time at={at} otherwise="never" /> },
  { title: 'Expires', cell: ({ expires_at: at }) => <Time at={at} otherwise="never" /> },
  { title: 'Act', cell: (key) => <RevokeKey apiKey={key} /> },
];

export function KeysPage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/keys' });
  const keys = useQuery(ask('listApiKeys', { query: { cursor } }));
  const [made, setMade] = useState<Schemas['CreatedApiKey']>();
  return (
    <Page title="API keys">
      <Text>An API key is for your own programs and servers. An agent gets a pass instead, which has a cap.</Text>
      {made?.key !== undefined && (
        <ShownOnce text={made.key} what="key">
          Copy it now. If it is lost, make another key and revoke {made.name}.
        </ShownOnce>
      )}
      <Loaded of={keys}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No API keys yet.">
              <Text>Make one below for a server that records calls, or that reads your usage.</Text>
            </Empty>
          ) : (
            <>
              <DataTable label="API keys" columns={columns} rows={page.api_keys} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
      <NewKey key={made?.id} onMade={setMade} />
    </Page>
  );
}

function RevokeKey({ apiKey: { id, name } }: { readonly apiKey: Key }): ReactNode {
  return (
    <Confirm label="Revoke key" isDestructive act={() => call('deleteApiKey', { path: { id } })}>
      <Text>Within a second every request with {name} is refused, and that is final.</Text>
    </Confirm>
  );
}

const scopes = [
  { value: 'events', label: 'Record and authorize calls' },
  { value: 'read', label: 'Read everything' },
  { value: 'manage', label: 'Change everything else' },
];

function NewKey({ onMade }: { readonly onMade: (key: Schemas['CreatedApiKey']) => void }): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData, idempotencyKey: string) =>
    call('createApiKey', { body: { name: textOf(fields, 'name'), can: fields.getAll('can') }, idempotencyKey });
  function done(key: Schemas['CreatedApiKey']): void {
    void client.invalidateQueries({ queryKey: ['listApiKeys'] });
    onMade(key);
  }
  return (
    <Section title="Make a key">
      <Form submit="Make key" send={send} onDone={done}>
        {(errorOf) => (
          <>
            <TextInput name="name" label="Name" description="To tell keys apart." error={errorOf('/name')} />
            <Checkbox.Group label="It opens" defaultValue={['events']} error={errorOf('/can')}>
              <Group mt="xs">
                {scopes.map(({ value, label }) => (
                  <Checkbox key={value} name="can" value={value} label={label} />
                ))}
              </Group>
            </Checkbox.Group>
          </>
        )}
      </Form>
    </Section>
  );
}
