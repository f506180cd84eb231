import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask, budget } from '../api/queries.ts';
import { BudgetCard } from '../overview/budget-card.tsx';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { amountOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';

type Budget = Schemas['Budget'];
type SpendingAlert = Schemas['SpendingAlert'];

const windows = [
  { value: 'month', label: 'a month (UTC)' },
  { value: 'day', label: 'a day (UTC)' },
];

const scopes: Readonly<Record<SpendingAlert['scope'], string>> = {
  account: 'The budget',
  pass: 'A pass',
  balance: 'The balance',
  auto_top_up: 'Automatic top-up',
};

const columns: readonly Column<SpendingAlert>[] = [
  { title: 'When', cell: ({ raised_at: at }) => <Time at={at} /> },
  { title: 'Of', cell: ({ scope }) => scopes[scope] },
  { title: 'Spent part', isFigure: true, cell: ({ percent }) => `${percent} %` },
  { title: 'Spent', isFigure: true, cell: ({ spent_usd: usd }) => <Money usd={usd} /> },
  { title: 'Cap', isFigure: true, cell: ({ cap_usd: usd }) => <Money usd={usd} /> },
];

/** The budget of the account, and what was told of it. */
export function BudgetPage(): ReactNode {
  const shown = useQuery(budget);
  return (
    <Page title="Budget and alerts">
      <Text>No call runs that the budget has no room for, whichever pass pays. Caps of passes hold beside it.</Text>
      <Loaded of={shown}>
        {(now) => (
          <>
            <BudgetCard budget={now} />
            <SetBudget key={now?.amount_usd} budget={now} />
            {now !== null && (
              <div>
                <Confirm label="Remove budget" isDestructive act={() => call('deleteBudget')}>
                  <Text>Within a second only the caps of your passes limit what is spent.</Text>
                </Confirm>
              </div>
            )}
          </>
        )}
      </Loaded>
      <Alerts />
    </Page>
  );
}

function SetBudget({ budget: now }: { readonly budget: Budget | null }): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData) =>
    call('putBudget', {
      body: { amount_usd: amountOf(fields, 'amount'), window: textOf(fields, 'window'), ...alertsOf(fields) },
    });
  return (
    <Form submit="Set budget" send={send} onDone={() => void client.invalidateQueries()}>
      {(errorOf) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput
            name="amount"
            inputMode="decimal"
            label="Budget in US dollars"
            defaultValue={now?.amount_usd}
            error={errorOf('/amount_usd')}
          />
          <NativeSelect name="window" label="It holds for" data={windows} defaultValue={now?.window ?? 'month'} />
          <TextInput
            name="alerts"
            label="Alerts, in percent of it"
            placeholder="50, 80, 100"
            defaultValue={now?.alerts.join(', ')}
            error={errorOf('/alerts')}
          />
        </SimpleGrid>
      )}
    </Form>
  );
}

/** Without any, the service has its own. */
function alertsOf(fields: FormData): { readonly alerts?: number[] } {
  const parts = textOf(fields, 'alerts')
    .split(/[\s,%]+/)
    .filter((part) => part !== '');
  return parts.length === 0 ? {} : { alerts: parts.map(Number) };
}

function Alerts(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/budget' });
  const alerts = useQuery(ask('listSpendingAlerts', { query: { cursor } }));
  return (
    <Section title="Alerts">
      <Loaded of={alerts}>
        {(page) =>
          page.total === 0 ? (
            <Empty title="No alerts yet.">
              <Text>An alert comes when a part of a cap is spent, once in its window.</Text>
            </Empty>
          ) : (
            <>
              <DataTable label="Alerts" columns={columns} rows={page.alerts} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
