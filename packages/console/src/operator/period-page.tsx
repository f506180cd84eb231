import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sumAgainMs } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import classes from '../patterns/figures.module.css';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Filters, TextFilter } from './filters.tsx';
import { AccountLink } from './ids.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';

type PeriodStatus = OperatorSchemas['PeriodStatus'];
type Unclosed = OperatorSchemas['UnclosedConsumer'];

/** How far the close of a month has come. It closes by itself. */
export function PeriodPage(): ReactNode {
  const { period } = useSearch({ from: '/shell/operator/period' });
  const overview = useQuery({ ...askOperator('getOverview'), refetchInterval: sumAgainMs });
  return (
    <Loaded title="Close of a month" of={overview}>
      {({ month, due_period: due }) => <Close period={period ?? due ?? month.period} due={due} />}
    </Loaded>
  );
}

function Close({ period, due }: { readonly period: string; readonly due: string | null }): ReactNode {
  const path = { period };
  const status = useQuery({ ...askOperator('getPeriodStatus', { path }), refetchInterval: sumAgainMs });
  return (
    <Page
      title={`Close of ${period}`}
      actions={
        <ButtonLink variant="default" to="/operator/reconcile" search={{ period }}>
          Reconcile {period}
        </ButtonLink>
      }
    >
      <Filters>
        <TextFilter name="period" label="Month" placeholder={period} />
      </Filters>
      <Loaded of={status}>{(of) => <Progress status={of} isDue={due === period} />}</Loaded>
      <Section title="Consumers without their invoice">
        <UnclosedConsumers />
      </Section>
    </Page>
  );
}

function Progress({ status, isDue }: { readonly status: PeriodStatus; readonly isDue: boolean }): ReactNode {
  const [start, end, now] = [status.starts_at, status.closable_at, status.counted_through].map((at) => Date.parse(at));
  return (
    <>
      <Text>
        A month closes by itself once all of its calls are counted, a day after its end. Then its invoices are issued
        and charged, and its payouts follow.
      </Text>
      <meter className={classes.meter} min={start} max={end} value={now} aria-label="Counted of the month" />
      <Facts
        facts={{
          State: <StatusBadge status={stateOf(status, isDue)} />,
          Begins: <Time at={status.starts_at} />,
          Ends: <Time at={status.ends_at} />,
          'Counted through': <Time at={status.counted_through} />,
          'Final through': <Time at={status.final_through} />,
          'Can close at': <Time at={status.closable_at} />,
        }}
      />
    </>
  );
}

function stateOf({ closable }: PeriodStatus, isDue: boolean): string {
  if (isDue) return 'closing';
  return closable ? 'closed' : 'open';
}

const columns: readonly Column<Unclosed>[] = [
  { title: 'Consumer', cell: ({ account_id: id }) => <AccountLink id={id} /> },
  { title: 'Since the month', cell: ({ period }) => period },
  { title: 'Why', cell: ({ reason }) => reason },
  { title: 'Failures', isFigure: true, cell: ({ failures }) => <Quantity of={failures} /> },
  { title: 'Next try', cell: ({ retry_at: at }) => <Time at={at} /> },
];

function UnclosedConsumers(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/operator/period' });
  const consumers = useQuery(askOperator('listUnclosedConsumers', { query: { cursor } }));
  return (
    <Loaded of={consumers}>
      {(page) =>
        page.total === 0 ? (
          <Text>None: each consumer with calls in a closed month has its invoice.</Text>
        ) : (
          <>
            <DataTable
              label="Consumers without their invoice"
              columns={columns}
              rows={page.consumers}
              keyOf={({ account_id: id }) => id}
            />
            <Pager cursor={cursor} next={page.next_cursor} />
          </>
        )
      }
    </Loaded>
  );
}
