import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { capInWords } from '../passes/pass-words.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { ButtonLink, TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';

type Consent = Schemas['Consent'];

const columns: readonly Column<Consent>[] = [
  { title: 'Client', cell: (consent) => <Client consent={consent} /> },
  { title: 'May call', cell: ({ tools, resource }) => `${tools.join(', ')} at ${resource}` },
  { title: 'May spend', cell: (consent) => <Limits consent={consent} /> },
  { title: 'Last token', cell: ({ last_token_at: at }) => <Time at={at} otherwise="none yet" /> },
  { title: 'Given', cell: ({ consented_at: at }) => <Time at={at} /> },
  { title: 'Act', cell: (consent) => <Revoke consent={consent} /> },
];

/** Lists the clients that the account let spend, by a sign-in on their behalf. */
export function ConsentsPage(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/consents' });
  const consents = useQuery(ask('listConsents', { query: { cursor } }));
  return (
    <Page title="Connected clients">
      <Loaded of={consents}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No client may spend.">
              <Text>
                Add an MCP server whose tools charge to a client, such as an editor or a chat. It leads you to a page on
                which you say how much it may spend. For programs of your own, make a pass.
              </Text>
              <ButtonLink variant="default" to="/passes/new">
                Make a pass
              </ButtonLink>
            </Empty>
          ) : (
            <>
              <Text>
                You let these clients spend when you signed in for them. A token lasts for an hour, so the last call may
                be later than the last token.
              </Text>
              <DataTable label="Connected clients" columns={columns} rows={page.consents} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Client({ consent: { client_name: name, client_host: host, paused } }: Shown): ReactNode {
  return (
    <>
      <Text fw={600} inherit>
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {host === null ? 'does not say where it is from' : `says it is from ${host}`}
      </Text>
      {paused && <StatusBadge status="paused" />}
    </>
  );
}

interface Shown {
  readonly consent: Consent;
}

function Limits({ consent }: Shown): ReactNode {
  const { cap, per_call_max_usd: perCall, approve_above_usd: above, expires_at: end, pass_id: id } = consent;
  return (
    <>
      <TextLink to="/passes/$id" params={{ id }}>
        {capInWords(cap)}
      </TextLink>
      {perCall !== null && <Text size="sm">{formatUsd(perCall)} a call at most</Text>}
      {above !== null && <Text size="sm">You approve a call above {formatUsd(above)}</Text>}
      {end !== null && (
        <Text size="sm">
          until <Time at={end} />
        </Text>
      )}
    </>
  );
}

function Revoke({ consent: { id, client_name: name } }: Shown): ReactNode {
  return (
    <Confirm label="Revoke consent" isDestructive act={() => call('revokeConsent', { path: { id } })}>
      <Text>
        Within a second {name} is refused everywhere: its tokens, its pass, and passes that it made from that. This is
        final; it has to ask you again. Calls that were authorized are still charged.
      </Text>
    </Confirm>
  );
}
