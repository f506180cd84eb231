import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { budget, monthByTool, sumAgainMs } from '../api/queries.ts';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink, TextLink } from '../patterns/links.tsx';
import { Figure } from '../patterns/figure.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Time } from '../patterns/time.tsx';
import { BudgetCard } from './budget-card.tsx';
import { MonthCourse } from './month-course.tsx';
import { SpendByDay } from './spend-by-day.tsx';
import { SpendByPass } from './spend-by-pass.tsx';
import { SpendByTool } from './spend-by-tool.tsx';
import { WhatChanged } from './what-changed.tsx';

export function OverviewPage(): ReactNode {
  const usage = useQuery(monthByTool);
  const spending = useQuery({ ...budget, refetchInterval: sumAgainMs });
  return (
    <Page title="This month">
      <Loaded of={usage}>
        {(sums) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <Figure title="Spent" of={<Money usd={sums.totals.charge_usd} />}>
                <TextLink to="/invoices/$id" params={{ id: 'draft' }}>
                  See the draft invoice
                </TextLink>
              </Figure>
              <Figure title="Calls" of={<Quantity of={sums.totals.calls} />}>
                <TextLink to="/calls">See each call</TextLink>
              </Figure>
              <Loaded of={spending}>{(limits) => <BudgetCard budget={limits} />}</Loaded>
            </SimpleGrid>
            {sums.usage.length === 0 ? <FirstSteps /> : <Pictures sums={sums} />}
            <WhatChanged through={sums.counted_through} />
            <Text size="sm" c="dimmed">
              Counted through <Time at={sums.counted_through} />
            </Text>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Pictures({ sums }: { readonly sums: Schemas['Usage'] }): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <SpendByDay />
      <MonthCourse />
      <SpendByTool rows={sums.usage} />
      <SpendByPass />
    </SimpleGrid>
  );
}

function FirstSteps(): ReactNode {
  return (
    <Empty title="No calls yet this month.">
      <List type="ordered" spacing="xs">
        <List.Item>Make a pass for your agent, with a cap.</List.Item>
        <List.Item>Paste its configuration into your MCP client.</List.Item>
        <List.Item>Let the agent call a tool. The call is here within a second.</List.Item>
      </List>
      <ButtonLink to="/passes/new">Make a pass</ButtonLink>
    </Empty>
  );
}
