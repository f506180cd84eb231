import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { MonthDays } from '../charts/month-days.tsx';
import { largestFirst } from '../charts/largest.ts';
import { spendBarOf, spendColumns } from '../overview/spend-columns.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { askEmbed } from './ask-embed.ts';
import { EmbedPage } from './embed-page.tsx';

type Row = Schemas['UsageRow'];

const byTool: readonly Column<Row>[] = [{ title: 'Tool', cell: ({ tool_id: tool }) => tool }, ...spendColumns];

/** The spending of the account this month. */
export function UsageEmbed({ token }: { readonly token: string }): ReactNode {
  const asked = { role: 'consumer' } as const;
  const days = useQuery(askEmbed(token, 'getUsage', { query: { ...asked, granularity: 'day' } }));
  const tools = useQuery(askEmbed(token, 'getUsage', { query: { ...asked, group_by: ['tool_id'] } }));
  return (
    <EmbedPage title="Usage of this month">
      <Loaded of={days}>
        {(usage) => (
          <>
            <Facts
              facts={{
                Calls: <Quantity of={usage.totals.calls} />,
                Charge: <Money usd={usage.totals.charge_usd} />,
                'Counted through': <Time at={usage.counted_through} />,
              }}
            />
            {usage.usage.length === 0 ? (
              <Empty title="No calls yet this month.">
                <Text>Each call shows here within seconds.</Text>
              </Empty>
            ) : (
              <MonthDays
                title="Spent by day"
                usage={usage}
                series={['Charge']}
                columns={spendColumns}
                bar={spendBarOf}
              />
            )}
          </>
        )}
      </Loaded>
      <Loaded of={tools}>
        {({ usage: rows }) =>
          rows.length > 0 && (
            <Section title="Spent by tool">
              <DataTable
                label="Spent by tool"
                columns={byTool}
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
