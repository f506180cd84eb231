import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { largestFirst } from '../charts/largest.ts';
import { type Days, MonthDays } from '../charts/month-days.tsx';
import { DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { askEmbed } from './ask-embed.ts';
import { EmbedPage } from './embed-page.tsx';

interface Month {
  readonly token: string;
  readonly role: 'consumer' | 'builder';
  readonly title: string;
  /** Heads the chart and the table: `Spent`, `Revenue`. */
  readonly of: string;
  /** The heading in place of the chart where there were no calls. */
  readonly empty: string;
  readonly facts: (totals: Schemas['Usage']['totals']) => Readonly<Record<string, ReactNode>>;
  readonly chart: Omit<Days, 'title' | 'usage'>;
}

/** The present month of an account by day and by tool. */
export function MonthEmbed({ token, role, title, of, empty, facts, chart }: Month): ReactNode {
  const days = useQuery(askEmbed(token, 'getUsage', { query: { role, granularity: 'day' } }));
  const tools = useQuery(askEmbed(token, 'getUsage', { query: { role, group_by: ['tool_id'] } }));
  return (
    <EmbedPage title={title}>
      <Loaded of={days}>
        {(usage) => (
          <>
            <Facts facts={{ ...facts(usage.totals), 'Counted through': <Time at={usage.counted_through} /> }} />
            {usage.usage.length === 0 ? (
              <Empty title={empty}>
                <Text>Each call shows here within seconds.</Text>
              </Empty>
            ) : (
              <MonthDays title={`${of} by day`} usage={usage} {...chart} />
            )}
          </>
        )}
      </Loaded>
      <Loaded of={tools}>
        {({ usage: rows }) =>
          rows.length > 0 && (
            <Section title={`${of} by tool`}>
              <DataTable
                label={`${of} by tool`}
                columns={[{ title: 'Tool', cell: ({ tool_id: tool }) => tool }, ...chart.columns]}
                rows={largestFirst(rows)}
                keyOf={({ tool_id: tool = '' }) => tool}
              />
            </Section>
          )
        }
      </Loaded>
    </EmbedPage>
  );
}
