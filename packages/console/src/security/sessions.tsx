import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';

type Session = Schemas['Session'];

const columns: readonly Column<Session>[] = [
  {
    title: 'Where',
    cell: ({ kind, current }) => `${kind === 'browser' ? 'A browser' : 'A program'}${current ? ', this one' : ''}`,
  },
  { title: 'Began', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Last used', cell: ({ refreshed_at: at }) => <Time at={at} /> },
  { title: 'Ends', cell: ({ ends_at: at }) => <Time at={at} /> },
  { title: 'Act', cell: (session) => (session.current ? 'Sign out ends it' : <EndSession session={session} />) },
];

/** Lists who is signed in to the account. */
export function Sessions(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/security' });
  const sessions = useQuery(ask('listSessions', { query: { cursor } }));
  return (
    <Section title="Sessions">
      <Loaded of={sessions}>
        {(page) => (
          <>
            <DataTable label="Sessions" columns={columns} rows={page.sessions} keyOf={({ id }) => id} />
            <Pager cursor={cursor} next={page.next_cursor} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EndSession({ session: { id, kind } }: { readonly session: Session }): ReactNode {
  return (
    <Confirm label="End session" isDestructive act={() => call('endSession', { path: { id } })}>
      <Text>
        Within a second the {kind === 'browser' ? 'browser' : 'program'} is signed out. Passes and API keys go on.
      </Text>
    </Confirm>
  );
}
