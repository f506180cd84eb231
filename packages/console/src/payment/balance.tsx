import { Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import { amountOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { formatUsd } from '../patterns/format-usd.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';

type Shown = Schemas['Balance'];
type Credit = Schemas['OwnCredit'];

const columns: readonly Column<Credit>[] = [
  { title: 'Credit', cell: ({ top_up_id: topUp }) => (topUp === null ? 'granted' : 'of a top-up') },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Left', isFigure: true, cell: ({ left_usd: usd }) => <Money usd={usd} /> },
  { title: 'Since', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Expires', cell: ({ expires_at: at }) => <Time at={at} otherwise="never" /> },
];

/** The money that pays invoices before a card does. */
export function Balance(): ReactNode {
  const balance = useQuery({ ...ask('getBalance'), refetchInterval: 3_000 });
  return (
    <>
      <Section title="Balance">
        <Loaded of={balance}>
          {(shown) => (
            <>
              <BalanceFacts balance={shown} />
              {shown.credits.length > 0 && (
                <DataTable
                  label="Credits, in the order in which they are spent"
                  columns={columns}
                  rows={shown.credits}
                  keyOf={({ id }) => id}
                />
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Section title="Automatic top-up">
        <Loaded of={balance}>
          {({ auto_top_up: rule }) => <AutoTopUp key={JSON.stringify(rule === null)} rule={rule} />}
        </Loaded>
      </Section>
      <Section title="Low-balance alerts">
        <Loaded of={balance}>{({ alerts_below_usd: below }) => <LowAlerts key={below.join()} below={below} />}</Loaded>
      </Section>
    </>
  );
}

function BalanceFacts({ balance }: { readonly balance: Shown }): ReactNode {
  const { owed_usd: owed, unbilled_usd: unbilled, credit_limit_usd: limit } = balance;
  return (
    <Facts
      facts={{
        Balance: <Money usd={balance.balance_usd} />,
        Held: <Money usd={balance.held_usd} />,
        ...(owed !== null && { Owed: <Money usd={owed} /> }),
        ...(unbilled !== null && { 'Not billed yet': <Money usd={unbilled} /> }),
        ...(limit !== null && { 'Credit limit': <Money usd={limit} /> }),
        'Can be spent': <Money usd={balance.available_usd} />,
      }}
    />
  );
}

function AutoTopUp({ rule }: { readonly rule: Shown['auto_top_up'] }): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData) =>
    call('putAutoTopUp', {
      body: {
        below_usd: amountOf(fields, 'below'),
        amount_usd: amountOf(fields, 'amount'),
        monthly_max_usd: amountOf(fields, 'most'),
      },
    });
  return (
    <>
      {rule === null ? (
        <Text>There is none. One charges the payment method when the balance is low.</Text>
      ) : (
        <Text>
          It charged {formatUsd(rule.month_usd)} this month.
          {rule.failure_code !== null && ` The last one failed: ${rule.failure_code}.`}
          {rule.retry_at !== null && (
            <>
              {' '}
              It is tried again <Time at={rule.retry_at} />.
            </>
          )}
        </Text>
      )}
      <Form submit="Set automatic top-up" send={send} onDone={() => void client.invalidateQueries()}>
        {(errorOf) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Amount name="below" label="Below, in US dollars" usd={rule?.below_usd} error={errorOf('/below_usd')} />
            <Amount name="amount" label="Charge, in US dollars" usd={rule?.amount_usd} error={errorOf('/amount_usd')} />
            <Amount
              name="most"
              label="At most in a month"
              usd={rule?.monthly_max_usd}
              error={errorOf('/monthly_max_usd')}
            />
          </SimpleGrid>
        )}
      </Form>
      {rule !== null && (
        <Group>
          <Confirm label="Remove automatic top-up" isDestructive act={() => call('deleteAutoTopUp')}>
            <Text>The balance is filled no more by itself. Calls that need it are refused once it is spent.</Text>
          </Confirm>
        </Group>
      )}
    </>
  );
}

interface Typed {
  readonly name: string;
  readonly label: string;
  readonly usd: number | undefined;
  readonly error: string | undefined;
}

function Amount({ name, label, usd, error }: Typed): ReactNode {
  return <TextInput name={name} label={label} inputMode="decimal" defaultValue={usd} error={error} />;
}

function LowAlerts({ below }: { readonly below: readonly number[] }): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData) => {
    const typed = textOf(fields, 'below')
      .split(/[\s,]+/)
      .filter((amount) => amount !== '');
    return call('putBalanceAlerts', { body: { below_usd: typed.map(Number) } });
  };
  return (
    <Form submit="Set alerts" send={send} onDone={() => void client.invalidateQueries()}>
      {(errorOf) => (
        <TextInput
          name="below"
          label="Below these amounts, in US dollars"
          description="Each raises an alert once, when less can be spent. Empty: none."
          placeholder="20, 5"
          defaultValue={below.join(', ')}
          maw={420}
          error={errorOf('/below_usd')}
        />
      )}
    </Form>
  );
}
