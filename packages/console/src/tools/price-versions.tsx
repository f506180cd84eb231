import { Card, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Timeline } from '../patterns/timeline.tsx';
import { priceInWords } from './price-words.ts';
import { placeVersions } from './version-state.ts';

/** The prices of a tool, as they follow each other: those to come, the one in force, and those before. */
export function PriceVersions({ slug }: { readonly slug: string }): ReactNode {
  const versions = useQuery(ask('listPriceVersions', { path: { slug }, query: { limit: 100 } }));
  const live = useQuery(ask('getLiveness'));
  return (
    <Section title="Price versions">
      <Loaded of={versions}>
        {({ prices }) => (
          <Timeline label="Price versions">
            {placeVersions(prices, live.data?.now ?? '').map(({ version, state }) => (
              <Version key={version.id} version={version} state={state} />
            ))}
          </Timeline>
        )}
      </Loaded>
    </Section>
  );
}

function Version({ version, state }: { readonly version: Schemas['PriceVersion']; readonly state: string }): ReactNode {
  return (
    <Card withBorder padding="sm">
      <Group gap="sm">
        <StatusBadge status={state} />
        <Text size="sm">
          {version.effective_from === null ? 'from the beginning' : 'from '}
          {version.effective_from !== null && <Time at={version.effective_from} />}
        </Text>
      </Group>
      {priceInWords(version.price).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Card>
  );
}
