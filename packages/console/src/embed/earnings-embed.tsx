import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { MonthDays } from '../charts/month-days.tsx';
import { largestFirst } from '../charts/largest.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { revenueBarOf, revenueColumns, revenueSeries } from '../revenue/revenue-columns.tsx';
import { askEmbed } from './ask-embed.ts';
import { EmbedPage } from './embed-page.tsx';

type Row = Schemas['UsageRow'];

const byTool: readonly Column<Row>[] = [{ title: 'Tool', cell: ({ tool_id: tool }) => tool }, ...revenueColumns];

/** The earnings of the account’s tools this month. */
export function EarningsEmbed({ token }: { readonly token: string }): ReactNode {
  const asked = { role: 'builder' } as const;
  const days = useQuery(askEmbed(token, 'getUsage', { query: { ...asked, granularity: 'day' } }));
  const tools = useQuery(askEmbed(token, 'getUsage', { query: { ...asked, group_by: ['tool_id'] } }));
  return (
    <EmbedPage title="Earnings of this month">
      <Loaded of={days}>
        {(usage) => (
          <>
            <Facts
              facts={{
                'You earn': <Money usd={usage.totals.earning_usd} />,
                'Platform fee': <Money usd={usage.totals.fee_usd} />,
                Calls: <Quantity of={usage.totals.calls} />,
                'Counted through': <Time at={usage.counted_through} />,
              }}
            />
            {usage.usage.length === 0 ? (
              <Empty title="No calls of your tools yet this month.">
                <Text>Each call shows here within seconds.</Text>
              </Empty>
            ) : (
              <MonthDays
                title="Revenue by day"
                isStacked
                usage={usage}
                series={revenueSeries}
                columns={revenueColumns}
                bar={revenueBarOf}
              />
            )}
          </>
        )}
      </Loaded>
      <Loaded of={tools}>
        {({ usage: rows }) =>
          rows.length > 0 && (
            <Section title="Revenue by tool">
              <DataTable
                label="Revenue by tool"
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
