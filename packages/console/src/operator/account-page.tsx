import { Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../patterns/facts.tsx';
import { textOf } from '../patterns/field.ts';
import { TextLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { OperatorAct } from './operator-act.tsx';
import { askOperator, callOperator, type OperatorSchemas } from './operator-api.ts';
import { PayoutTable } from './payout-table.tsx';

type Account = OperatorSchemas['OperatorAccount'];

export function AccountPage(): ReactNode {
  const { id } = useParams({ from: '/shell/operator/accounts/$id' });
  const account = useQuery(askOperator('findAccount', { path: { account_id: id } }));
  return (
    <Loaded title="Account" of={account}>
      {(found) => (
        <Page title={found.email}>
          <Facts
            facts={{
              State: <StatusBadge status={found.suspension === null ? 'active' : 'suspended'} />,
              ...(found.suspension !== null && {
                'Suspended since': <Time at={found.suspension.suspended_at} />,
                Reason: found.suspension.reason,
              }),
              Id: found.account_id,
              Since: <Time at={found.created_at} />,
              'E-mail confirmed': found.email_verified ? 'yes' : 'no',
              ...(found.email_bounced_at !== null && { 'Takes no mail since': <Time at={found.email_bounced_at} /> }),
            }}
          />
          <Acts account={found} />
          <Money accountId={id} />
        </Page>
      )}
    </Loaded>
  );
}

function Acts({ account }: { readonly account: Account }): ReactNode {
  const path = { account_id: account.account_id };
  return (
    <Group gap="xs">
      {account.suspension === null ? <Suspend path={path} /> : <Resume path={path} />}
      <OperatorAct label="End its sessions" act={() => callOperator('endSessionsOfAccount', { path })}>
        <Text>Within a second each browser and program that is signed in as {account.email} has to sign in again.</Text>
      </OperatorAct>
      <OperatorAct
        label="Revoke its API keys"
        isDestructive
        act={() => callOperator('revokeApiKeysOfAccount', { path })}
      >
        <Text>Within a second each program with a key of {account.email} is refused, and that is final.</Text>
      </OperatorAct>
    </Group>
  );
}

interface OfAccount {
  readonly path: { readonly account_id: string };
}

function Suspend({ path }: OfAccount): ReactNode {
  return (
    <OperatorAct
      key="suspend"
      label="Suspend account"
      isDestructive
      fields={(errorOf) => (
        <TextInput name="reason" label="Reason" description="Only the operator sees it." error={errorOf('/reason')} />
      )}
      act={(fields) => callOperator('suspendAccount', { path, body: { reason: textOf(fields, 'reason') } })}
    >
      <Text>
        Within a second all of its tokens, keys and passes are refused. Its invoices are not charged and its payouts are
        not transferred until it is resumed. Calls that were made are invoiced, and nothing is lost.
      </Text>
    </OperatorAct>
  );
}

function Resume({ path }: OfAccount): ReactNode {
  return (
    <OperatorAct key="resume" label="Resume account" act={() => callOperator('resumeAccount', { path })}>
      <Text>
        Its tokens and keys work again within a second. Charges and payouts that were held go on by themselves.
      </Text>
    </OperatorAct>
  );
}

function Money({ accountId }: { readonly accountId: string }): ReactNode {
  const query = { account_id: accountId, limit: 5 };
  const invoices = useQuery(askOperator('listAllInvoices', { query }));
  const payouts = useQuery(askOperator('listAllPayouts', { query }));
  return (
    <>
      <Section title="Invoices">
        <Loaded of={invoices}>
          {(page) => (page.total === 0 ? <Text>None yet.</Text> : <InvoiceTable rows={page.invoices} />)}
        </Loaded>
        <TextLink to="/operator/invoices" search={{ account_id: accountId }}>
          All of its invoices
        </TextLink>
      </Section>
      <Section title="Payouts">
        <Loaded of={payouts}>
          {(page) => (page.total === 0 ? <Text>None yet.</Text> : <PayoutTable rows={page.payouts} />)}
        </Loaded>
        <TextLink to="/operator/payouts" search={{ account_id: accountId }}>
          All of its payouts
        </TextLink>
      </Section>
    </>
  );
}
