import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink } from './ids.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';
import { waitOf } from './payout-table.tsx';

type Attempt = OperatorSchemas['OperatorPayoutAttempt'];

const columns: readonly Column<Attempt>[] = [
  { title: 'Transfer', cell: ({ number }) => number },
  { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Amount', isFigure: true, cell: ({ amount_usd: usd }) => <Money usd={usd} /> },
  { title: 'Refused as', cell: ({ failure_code: code }) => code ?? '–' },
  { title: 'At the processor', cell: ({ object_id: object }) => object ?? 'not known' },
  { title: 'Started', cell: ({ started_at: at }) => <Time at={at} /> },
  { title: 'Known since', cell: ({ settled_at: at }) => <Time at={at} otherwise="not known yet" /> },
];

export function OperatorPayoutPage(): ReactNode {
  const { id } = useParams({ from: '/shell/operator/payouts/$id' });
  const found = useQuery(askOperator('listPayoutAttempts', { path: { payout_id: id } }));
  return (
    <Loaded title="Payout" of={found}>
      {({ payout, attempts, total }) => (
        <Page title={`Payout of ${payout.period}`}>
          <Facts
            facts={{
              State: <StatusBadge status={payout.status} />,
              Account: <AccountLink id={payout.account_id} />,
              Earned: <Money usd={payout.amount_usd} />,
              'Platform fee': <Money usd={payout.fee_usd} />,
              'To transfer': <Money usd={payout.net_usd} />,
              Paid: <Time at={payout.paid_at} otherwise="not yet" />,
              Failures: <Quantity of={payout.failures} />,
              'Next try': <Time at={payout.next_attempt_at} otherwise={waitOf(payout.status)} />,
            }}
          />
          <Section title="Transfers">
            {total === 0 ? (
              <Text>None yet.</Text>
            ) : (
              <DataTable label="Transfers" columns={columns} rows={attempts} keyOf={({ attempt_id: of }) => of} />
            )}
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
