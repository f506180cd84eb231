import { Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { follow } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Timeline } from '../patterns/timeline.tsx';
import { type Step, stepsOf } from './trace-steps.ts';

type Charge = Schemas['TraceCharge'];

const columns: readonly Column<Charge>[] = [
  { title: 'Charge', cell: ({ name, charge }) => name ?? `Charge ${charge + 1}` },
  {
    title: 'Quantity',
    isFigure: true,
    cell: ({ quantity, unit }) => <Quantity of={quantity} unit={unit} />,
  },
  { title: 'Amount', isFigure: true, cell: ({ charge_usd: usd }) => <Money usd={usd} /> },
  { title: 'Its line', isFigure: true, cell: ({ line }) => <Money usd={line?.charge_usd} /> },
];

/** A call from its receipt to its payout. It goes on by itself while it is looked at. */
export function CallPage(): ReactNode {
  const { id } = useParams({ from: '/shell/calls/$id' });
  const trace = useQuery(follow('traceEvent', { path: { event_id: id } }));
  return (
    <Page title="Call">
      <Loaded of={trace}>{(shown) => <Traced trace={shown} />}</Loaded>
    </Page>
  );
}

function Traced({ trace }: { readonly trace: Schemas['Trace'] }): ReactNode {
  return (
    <Stack gap="lg">
      <Facts
        facts={{
          Tool: (
            <TextLink to="/calls" search={{ tool_id: trace.tool_id }}>
              {trace.tool_id}
            </TextLink>
          ),
          When: <Time at={trace.accepted.timestamp} />,
          Pass: <PassOf id={trace.pass_id} />,
          Charge: <Money usd={trace.rated.charge_usd} />,
          Id: trace.event_id,
        }}
      />
      <Timeline label="The way of the call">
        {stepsOf(trace).map((step) => (
          <TimelineStep key={step.title} {...step} />
        ))}
      </Timeline>
      {trace.rated.charges.length > 0 && (
        <DataTable
          label="Charges of the call"
          columns={columns}
          rows={trace.rated.charges}
          keyOf={({ charge }) => String(charge)}
        />
      )}
    </Stack>
  );
}

function PassOf({ id }: { readonly id: string | null }): ReactNode {
  if (id === null) return 'none';
  return (
    <TextLink to="/passes/$id" params={{ id }}>
      The pass that paid
    </TextLink>
  );
}

function TimelineStep({ title, status, says, at, nextAt, invoice }: Step): ReactNode {
  return (
    <Card withBorder padding="sm">
      <Group gap="sm">
        <Text fw={600}>{title}</Text>
        <StatusBadge status={status} />
        {at != null && <Time at={at} />}
      </Group>
      <Text size="sm">
        {says}{' '}
        {nextAt != null && (
          <>
            Not before <Time at={nextAt} />.{' '}
          </>
        )}
        {invoice !== undefined && (
          <TextLink to="/invoices/$id" params={{ id: invoice }}>
            See the invoice
          </TextLink>
        )}
      </Text>
    </Card>
  );
}
