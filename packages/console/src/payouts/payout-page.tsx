import { Card, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { ChartCard, Flow } from '../charts/chart-card.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Timeline } from '../patterns/timeline.tsx';
import { saidOf, type Station, stationsOf, streamsOf } from './payout-flow.ts';
import { payoutInWords } from './payout-words.ts';
import { StatementLines } from './statement-lines.tsx';

type Detail = Schemas['PayoutDetail'];

/** A payout: the path of its money, its transfers, and the lines it is made of. */
export function PayoutPage(): ReactNode {
  const { id } = useParams({ from: '/shell/payouts/$id' });
  const payout = useQuery(ask('getPayout', { path: { id } }));
  return (
    <Loaded title="Payout" of={payout}>
      {(shown) => <Shown payout={shown} />}
    </Loaded>
  );
}

function Shown({ payout }: { readonly payout: Detail }): ReactNode {
  const statement = useQuery(ask('getStatement', { query: { period: payout.period } }));
  return (
    <Page title={`Payout of ${payout.period}`}>
      <Text>{payoutInWords(payout)}</Text>
      <Facts
        facts={{
          State: <StatusBadge status={payout.status} />,
          'You get': <Money usd={payout.net_usd} />,
          Paid: <Time at={payout.paid_at} otherwise="not yet" />,
          ...(payout.next_attempt_at !== null && { 'Next transfer': <Time at={payout.next_attempt_at} /> }),
        }}
      />
      <Loaded of={statement}>{(shown) => <Path statement={shown} />}</Loaded>
      <Transfers attempts={payout.attempts} />
      <Loaded of={statement}>{({ lines }) => <StatementLines lines={lines} />}</Loaded>
    </Page>
  );
}

const columns: readonly Column<Station>[] = [
  { title: 'Station', cell: ({ name }) => name },
  { title: 'Amount', isFigure: true, cell: ({ usd }) => <Money usd={usd} /> },
  { title: 'Meaning', cell: ({ says }) => says },
];

/** The path of the month's money. The widths are the sums of the ledger. */
function Path({ statement }: { readonly statement: Schemas['Statement'] }): ReactNode {
  const streams = streamsOf(statement);
  const table = (
    <DataTable
      label="The path of the money"
      columns={columns}
      rows={stationsOf(statement)}
      keyOf={({ name }) => name}
    />
  );
  if (streams.length === 0) return <Section title="The path of the money">{table}</Section>;
  return (
    <ChartCard
      title="The path of the money"
      says="From what consumers were charged to what you get."
      chart={<Flow streams={streams} says={saidOf(statement)} />}
      table={table}
      isOpen
    />
  );
}

function Transfers({ attempts }: Pick<Detail, 'attempts'>): ReactNode {
  return (
    <Section title="Transfers">
      {attempts.length === 0 ? (
        <Text>No transfer was begun yet.</Text>
      ) : (
        <Timeline label="Transfers">
          {attempts.map((attempt) => (
            <Card key={attempt.number} withBorder padding="sm">
              <Text size="sm">
                <StatusBadge status={attempt.status} /> <Money usd={attempt.amount_usd} />, begun{' '}
                <Time at={attempt.started_at} />
                {attempt.settled_at !== null && (
                  <>
                    , settled <Time at={attempt.settled_at} />
                  </>
                )}
                {attempt.failure_code !== null && `: ${attempt.failure_code}`}
              </Text>
            </Card>
          ))}
        </Timeline>
      )}
    </Section>
  );
}
