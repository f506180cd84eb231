import { Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask, follow } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';

type Delivery = Schemas['WebhookDelivery'];
type Attempt = Schemas['WebhookAttempt'];

/** An event, whom it was told, and every attempt to tell it. */
export function EventPage(): ReactNode {
  const { id } = useParams({ from: '/shell/webhook-events/$id' });
  const event = useQuery({ ...follow('getWebhookEvent', { path: { id } }), refetchInterval: 2_000 });
  return (
    <Loaded title="Event" of={event}>
      {(shown) => <Shown event={shown} />}
    </Loaded>
  );
}

function Shown({ event }: { readonly event: Schemas['WebhookEventDetail'] }): ReactNode {
  const { id, type, timestamp, data, deliveries } = event;
  const endpoints = useQuery(ask('listWebhookEndpoints'));
  const urls = new Map(endpoints.data?.webhook_endpoints.map((endpoint) => [endpoint.id, endpoint.url]));
  const urlOf = (endpoint: string) => urls.get(endpoint) ?? endpoint;
  return (
    <Page title={type}>
      <Facts facts={{ When: <Time at={timestamp} />, Id: id }} />
      <Section title="Deliveries">
        {deliveries.length === 0 ? (
          <Text>No endpoint was told: none was enabled for {type} when it happened.</Text>
        ) : (
          <DataTable
            label="Deliveries"
            columns={deliveryColumns(urlOf)}
            rows={deliveries}
            keyOf={({ endpoint_id: endpoint }) => endpoint}
          />
        )}
        <Group>
          <Confirm label="Redeliver" act={() => call('redeliverWebhookEvent', { path: { id } })}>
            <Text>
              All endpoints that are enabled and told {type} now get it again at once, also those that had it. Its id
              stays the same, so that they know it.
            </Text>
          </Confirm>
        </Group>
      </Section>
      <Attempts id={id} urlOf={urlOf} />
      <Section title="What it says">
        <Code block aria-label="Data of the event" role="region" tabIndex={0}>
          {JSON.stringify(data, undefined, 2)}
        </Code>
      </Section>
    </Page>
  );
}

type UrlOf = (endpoint: string) => string;

function deliveryColumns(urlOf: UrlOf): readonly Column<Delivery>[] {
  return [
    { title: 'Endpoint', cell: ({ endpoint_id: endpoint }) => urlOf(endpoint) },
    { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Attempts', isFigure: true, cell: ({ attempts }) => <Quantity of={attempts} /> },
    { title: 'Next attempt', cell: ({ next_attempt_at: at }) => <Time at={at} otherwise="none" /> },
  ];
}

function attemptColumns(urlOf: UrlOf): readonly Column<Attempt>[] {
  return [
    { title: 'Attempt', cell: ({ number }) => number },
    { title: 'Endpoint', cell: ({ endpoint_id: endpoint }) => urlOf(endpoint) },
    { title: 'Begun', cell: ({ started_at: at }) => <Time at={at} /> },
    {
      title: 'Took',
      isFigure: true,
      cell: ({ duration_ms: took }) => (
        <>
          <Quantity of={took} /> ms
        </>
      ),
    },
    { title: 'Answer', cell: ({ status, answer }) => `${status ?? 'none'}${answer ? `: ${answer}` : ''}` },
    { title: 'Failure', cell: ({ error }) => error ?? 'none' },
  ];
}

function Attempts({ id, urlOf }: { readonly id: string; readonly urlOf: UrlOf }): ReactNode {
  const attempts = useQuery({ ...follow('listWebhookAttempts', { path: { id } }), refetchInterval: 2_000 });
  return (
    <Section title="Attempts">
      <Loaded of={attempts}>
        {(page) =>
          page.total === 0 ? (
            <Text>No attempt was made yet.</Text>
          ) : (
            <DataTable
              label="Attempts"
              columns={attemptColumns(urlOf)}
              rows={page.attempts}
              keyOf={({ endpoint_id: endpoint, number }) => `${endpoint} ${number}`}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
