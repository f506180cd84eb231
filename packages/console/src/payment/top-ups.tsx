import { Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { amountOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Pager } from '../patterns/pager.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';

type TopUp = Schemas['TopUp'];

const columns: readonly Column<TopUp>[] = [
  { title: 'Ordered', cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'State',
    cell: ({ status, failure_code: code }) => (
      <>
        <StatusBadge status={status} /> {code}
      </>
    ),
  },
  { title: 'By', cell: ({ is_automatic: isAutomatic }) => (isAutomatic ? 'the automatic top-up' : 'you') },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'On the balance', cell: ({ succeeded_at: at }) => <Time at={at} otherwise="not yet" /> },
];

/** The charges that fill the balance, and another one. */
export function TopUps(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/payment' });
  const topUps = useQuery({ ...ask('listTopUps', { query: { cursor } }), refetchInterval: 3_000 });
  return (
    <Section title="Top-ups">
      <NewTopUp />
      <Loaded of={topUps}>
        {(page) =>
          page.total === 0 ? (
            <Text>There was no top-up yet.</Text>
          ) : (
            <>
              <DataTable label="Top-ups" columns={columns} rows={page.top_ups} keyOf={({ id }) => id} />
              <Pager cursor={cursor} next={page.next_cursor} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function NewTopUp(): ReactNode {
  const client = useQueryClient();
  const [times, setTimes] = useState(0); // the next one is another order, with a key of its own
  const send = (fields: FormData, idempotencyKey: string) =>
    call('createTopUp', { body: { amount_usd: amountOf(fields, 'amount') }, idempotencyKey });
  function done(): void {
    setTimes(times + 1);
    void client.invalidateQueries();
  }
  return (
    <Form key={times} submit="Top up" send={send} onDone={done}>
      {(errorOf) => (
        <TextInput
          name="amount"
          label="Amount in US dollars"
          description="The payment method is charged at once."
          inputMode="decimal"
          placeholder="50"
          maw={420}
          error={errorOf('/amount_usd')}
        />
      )}
    </Form>
  );
}
