import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sumAgainMs } from '../api/queries.ts';
import { ChartCard, Flow } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Filters, TextFilter } from './filters.tsx';
import { saidOf, stationsOf, streamsOf } from './money-flow.ts';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

const columns: readonly Column<ReturnType<typeof stationsOf>[number]>[] = [
  { title: 'Station', cell: ({ name }) => name },
  { title: 'Amount', isFigure: true, cell: ({ usd }) => <Money usd={usd} /> },
  { title: 'Meaning', cell: ({ says }) => says },
];

/** The way of a month’s money over the whole platform, as the ledger has booked it. */
export function MoneyPage(): ReactNode {
  const { period } = useSearch({ from: '/shell/operator/money' });
  const overview = useQuery(askOperator('getOverview'));
  return (
    <Loaded title="The way of the money" of={overview}>
      {({ month }) => <OfMonth period={period ?? month.period} />}
    </Loaded>
  );
}

function OfMonth({ period }: { readonly period: string }): ReactNode {
  const path = useQuery({ ...askOperator('getMoneyPath', { query: { period } }), refetchInterval: sumAgainMs });
  return (
    <Page
      title={`The way of the money in ${period}`}
      actions={
        <ButtonLink variant="default" to="/operator/reconcile" search={{ period }}>
          Reconcile {period}
        </ButtonLink>
      }
    >
      <Text>
        Invoices are of the month of their calls. Payments and payouts are of the month in which the money moved, which
        is often the next one.
      </Text>
      <Filters>
        <TextFilter name="period" label="Month" placeholder={period} />
      </Filters>
      <Loaded of={path}>{(sums) => <Way sums={sums} />}</Loaded>
    </Page>
  );
}

function Way({ sums }: { readonly sums: OperatorSchemas['MoneyPath'] }): ReactNode {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false }); // five stations in a row
  const streams = streamsOf(sums);
  if (streams.length === 0)
    return (
      <Empty title={`No money was booked in ${sums.period}, and none is owed from before.`}>
        <Text>The first is booked when a month with calls has closed. Choose another month above.</Text>
        <ButtonLink variant="default" to="/operator/period">
          See the close of the month
        </ButtonLink>
      </Empty>
    );
  const table = (
    <DataTable label="From charges to payouts" columns={columns} rows={stationsOf(sums)} keyOf={({ name }) => name} />
  );
  if (isWide !== true) return table;
  return (
    <ChartCard
      title="From charges to payouts"
      says="Each stream is as wide as the ledger’s sum."
      chart={<Flow streams={streams} says={saidOf(sums)} height={320} />}
      height={320}
      table={table}
      isOpen
    />
  );
}
