import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sumAgainMs } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Figure } from '../patterns/figure.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';
import { LagCourse } from './lag-course.tsx';
import { MachineFacts } from './machine-facts.tsx';
import { type Waiting, waitingOf } from './waiting.tsx';

type Overview = OperatorSchemas['OperatorOverview'];

const columns: readonly Column<Waiting>[] = [
  { title: 'What waits', cell: ({ link }) => link },
  { title: 'State', cell: ({ isWrong }) => <StatusBadge status={isWrong ? 'look at it' : 'goes on by itself'} /> },
  { title: 'How many', isFigure: true, cell: ({ count }) => (count === undefined ? '–' : <Quantity of={count} />) },
  { title: 'Since', cell: ({ since }) => <Time at={since} /> },
];

/** The platform today, and all that waits for somebody. */
export function TodayPage(): ReactNode {
  const overview = useQuery({ ...askOperator('getOverview'), refetchInterval: sumAgainMs });
  return (
    <Page title="Today">
      <Loaded of={overview}>
        {(state) => (
          <>
            <Figures {...state} />
            <Section title="What waits">
              <Waits rows={waitingOf(state)} />
            </Section>
            <LagCourse minutes={state.counting.last_hour} />
            <Section title="The machine">
              <MachineFacts machine={state.machine} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ now, today, month, counting }: Overview): ReactNode {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Figure title="Calls today (UTC)" of={<Quantity of={today.calls} />}>
          <Quantity of={today.failed_calls} /> of them failed
        </Figure>
        <Figure title={`Calls in ${month.period}`} of={<Quantity of={month.calls} />}>
          <Quantity of={month.failed_calls} /> of them failed
        </Figure>
        <Figure title={`Collected in ${month.period}`} of={<Money usd={month.collected_usd} />}>
          <TextLink to="/operator/money" search={{ period: month.period }}>
            See the way of the money
          </TextLink>
        </Figure>
        <Figure title="Platform fees of it" of={<Money usd={month.platform_fees_usd} />}>
          <TextLink to="/operator/reconcile">Reconcile</TextLink>
        </Figure>
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        Counted through <Time at={counting.counted_through} otherwise="nothing yet" />
        {counting.lag_seconds !== null && `, ${counting.lag_seconds} s behind`}. Read at <Time at={now} />.
      </Text>
    </Stack>
  );
}

function Waits({ rows }: { readonly rows: readonly Waiting[] }): ReactNode {
  if (rows.length === 0) return <Alert color="green" role="status" title="Nothing waits, and nothing is unknown." />;
  return <DataTable label="What waits" columns={columns} rows={rows} keyOf={({ name }) => name} />;
}
