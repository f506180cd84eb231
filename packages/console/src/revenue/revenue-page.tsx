import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { followSum } from '../api/queries.ts';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Time } from '../patterns/time.tsx';
import { Failures } from './failures.tsx';
import { RevenueByDay } from './revenue-by-day.tsx';
import { RevenueByTool } from './revenue-by-tool.tsx';

/** The calls of the account's tools this month, and what they earn. */
export function RevenuePage(): ReactNode {
  const byTool = useQuery(followSum('getUsage', { query: { role: 'builder', group_by: ['tool_id'] } }));
  return (
    <Page title="Revenue this month">
      <Loaded of={byTool}>{(sums) => <Shown {...sums} />}</Loaded>
    </Page>
  );
}

function Shown({ usage: rows, totals, counted_through: through }: Schemas['Usage']): ReactNode {
  return (
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
      {rows.length === 0 ? (
        <NoRevenue />
      ) : (
        <Stack>
          <RevenueByDay />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <RevenueByTool rows={rows} />
            <Failures rows={rows} />
          </SimpleGrid>
        </Stack>
      )}
    </>
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
