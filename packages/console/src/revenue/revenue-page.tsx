import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Time } from '../patterns/time.tsx';

type Row = Schemas['UsageRow'];

const columns: readonly Column<Row>[] = [
  { title: 'Day (UTC)', cell: ({ start }) => start?.slice(0, 10) },
  { title: 'Tool', cell: ({ tool_id: tool }) => tool },
  { title: 'Calls', isFigure: true, cell: ({ calls }) => <Quantity of={calls} /> },
  { title: 'Failed', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Charge', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Fee', isFigure: true, cell: ({ fee_usd: usd }) => <Money usd={usd} /> },
  { title: 'Earning', isFigure: true, cell: ({ earning_usd: usd }) => <Money usd={usd} /> },
];

/** The calls of the account's tools this month, and what they earn. */
export function RevenuePage(): ReactNode {
  const usage = useQuery(ask('getUsage', { query: { role: 'builder', granularity: 'day', group_by: ['tool_id'] } }));
  return (
    <Page title="Revenue this month">
      <Loaded of={usage}>
        {({ usage: rows, totals, counted_through: through }) => (
          <>
            <Facts
              facts={{
                Charged: <Money usd={totals.charge_usd} />,
                'Platform fee': <Money usd={totals.fee_usd} />,
                'You earn': <Money usd={totals.earning_usd} />,
                Calls: <Quantity of={totals.calls} />,
                'Counted through': <Time at={through} />,
              }}
            />
            {rows.length === 0 ? <NoRevenue /> : <ByDay rows={rows} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ByDay({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  return (
    <DataTable
      label="Revenue by day and tool"
      columns={columns}
      rows={rows}
      keyOf={({ start, tool_id: tool }) => `${start} ${tool}`}
    />
  );
}

function NoRevenue(): ReactNode {
  return (
    <Empty title="No calls of your tools this month.">
      <Text>A call earns once another account has paid its invoice.</Text>
      <ButtonLink to="/tools">See your tools</ButtonLink>
    </Empty>
  );
}
