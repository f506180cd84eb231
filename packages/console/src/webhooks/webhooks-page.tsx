import { Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { type Asked, call } from '../api/call.ts';
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
import { ShownOnce } from '../patterns/shown-once.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { TypedFilter } from '../patterns/typed-filter.tsx';
import { EndpointActs } from './endpoint-acts.tsx';

type Endpoint = Schemas['WebhookEndpoint'];
type Told = Schemas['WebhookEvent'];

const reasons: Readonly<Record<string, string>> = {
  owner: 'You disabled it.',
  gone: 'It answered 410.',
  failing: 'It answered nothing with success for five days.',
};

function columnsWith(onSecret: (endpoint: Schemas['CreatedWebhookEndpoint']) => void): readonly Column<Endpoint>[] {
  return [
    { title: 'Address', cell: ({ url }) => url },
    {
      title: 'State',
      cell: ({ enabled, disabled_reason: reason }) => (
        <Group gap="xs">
          <StatusBadge status={enabled ? 'enabled' : 'disabled'} />
          {reasons[reason ?? '']}
        </Group>
      ),
    },
    { title: 'Is told', cell: ({ types }) => types?.join(', ') ?? 'everything' },
    { title: 'Fails since', cell: ({ failing_since: at }) => <Time at={at} otherwise="it does not" /> },
    { title: 'Acts', cell: (endpoint) => <EndpointActs endpoint={endpoint} onSecret={onSecret} /> },
  ];
}

/** The addresses that are told what happens, and what they were told. */
export function WebhooksPage(): ReactNode {
  const endpoints = useQuery(ask('listWebhookEndpoints'));
  const [secretOf, setSecretOf] = useState<Schemas['CreatedWebhookEndpoint']>();
  return (
    <Page title="Webhooks">
      {secretOf !== undefined && (
        <ShownOnce text={secretOf.secret} what="secret">
          With it {secretOf.url} checks that a webhook is ours. If it is lost, replace it.
        </ShownOnce>
      )}
      <Loaded of={endpoints}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No webhook endpoints yet.">
              <Text>
                An endpoint of yours is told by POST what happens: that an invoice was issued, or a payout paid.
              </Text>
            </Empty>
          ) : (
            <DataTable
              label="Webhook endpoints"
              columns={columnsWith(setSecretOf)}
              rows={page.webhook_endpoints}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      <NewEndpoint key={secretOf?.id} onMade={setSecretOf} />
      <ToldEvents />
    </Page>
  );
}

function NewEndpoint({ onMade }: { readonly onMade: (made: Schemas['CreatedWebhookEndpoint']) => void }): ReactNode {
  const client = useQueryClient();
  function send(fields: FormData, idempotencyKey: string): Promise<Schemas['CreatedWebhookEndpoint']> {
    const types = textOf(fields, 'types')
      .split(/[\s,]+/)
      .filter((type) => type !== '');
    const body = { url: textOf(fields, 'url'), ...(types.length > 0 && { types }) };
    return call('createWebhookEndpoint', { body, idempotencyKey });
  }
  function done(made: Schemas['CreatedWebhookEndpoint']): void {
    void client.invalidateQueries({ queryKey: ['listWebhookEndpoints'] });
    onMade(made);
  }
  return (
    <Section title="Register an endpoint">
      <Form submit="Register endpoint" send={send} onDone={done}>
        {(errorOf) => (
          <>
            <TextInput name="url" label="Address" placeholder="https://example.com/tollgate" error={errorOf('/url')} />
            <TextInput
              name="types"
              label="Types"
              description="Such as invoice.paid, payout.paid. Empty: everything."
              error={errorOf('/types')}
            />
          </>
        )}
      </Form>
    </Section>
  );
}

const toldColumns: readonly Column<Told>[] = [
  { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    title: 'Type',
    cell: ({ id, type }) => (
      <TextLink to="/webhook-events/$id" params={{ id }}>
        {type}
      </TextLink>
    ),
  },
  { title: 'Id', cell: ({ id }) => id },
];

function ToldEvents(): ReactNode {
  const { cursor, type } = useSearch({ from: '/shell/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const query = { cursor, type: type as Asked<'listWebhookEvents'>['type'] };
  const events = useQuery(ask('listWebhookEvents', { query }));
  return (
    <Section title="What happened">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TypedFilter
          label="Type"
          placeholder="invoice.paid"
          text={type}
          onText={(typed) => void navigate({ search: typed === '' ? {} : { type: typed } })}
        />
      </SimpleGrid>
      <Loaded of={events}>
        {(page) =>
          page.total === 0 ? (
            <Text>Nothing happened yet that endpoints are told.</Text>
          ) : (
            <>
              <DataTable label="Events" columns={toldColumns} rows={page.webhook_events} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
