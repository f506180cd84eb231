import { Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { follow } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { Facts } from '../patterns/facts.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { accountInWords } from './payout-words.ts';

/** The account to which the money goes. The processor's own pages ask for what it wants to know. */
export function PayoutAccount(): ReactNode {
  const account = useQuery({ ...follow('getBillingAccount'), refetchInterval: 3_000 });
  return (
    <Section title="Payout account">
      <Loaded of={account}>{(shown) => <Shown account={shown} />}</Loaded>
    </Section>
  );
}

function Shown({ account }: { readonly account: Schemas['BillingAccount'] }): ReactNode {
  const { processor_connected: isConnected, requirements, bank_failure: refused } = account;
  return (
    <>
      <Text>{accountInWords(account)}</Text>
      <Facts
        facts={{
          'Earned, not paid out': <Money usd={account.pending_balance_usd} />,
          ...(isConnected && { Account: account.processor_account_id }),
          ...(requirements.length > 0 && { 'It still asks for': requirements.join(', ') }),
          ...(refused !== null && {
            'Your bank refused': (
              <>
                {refused.code}, <Time at={refused.failed_at} />
              </>
            ),
          }),
        }}
      />
      {(!isConnected || requirements.length > 0) && <Connect isConnected={isConnected} />}
      {isConnected && (
        <Group>
          <Confirm
            label="Open the payout account"
            act={async () => location.assign((await call('createLoginLink')).login_url)}
          >
            <Text>The pages of the processor show its payouts to your bank. The link works once.</Text>
          </Confirm>
          <Confirm label="Disconnect payout account" isDestructive act={() => call('disconnect')}>
            <Text>Payouts stop. What is owed to you stays owed until an account is connected again.</Text>
          </Confirm>
        </Group>
      )}
    </>
  );
}

function Connect({ isConnected }: { readonly isConnected: boolean }): ReactNode {
  const send = (fields: FormData, idempotencyKey: string) => {
    const country = textOf(fields, 'country').toUpperCase();
    const body = { return_url: location.href, ...(country !== '' && { country }) };
    return call('connect', { body, idempotencyKey });
  };
  return (
    <Form
      submit={isConnected ? 'Answer what it asks' : 'Connect a payout account'}
      send={send}
      onDone={({ connect_url: url }) => location.assign(url)}
    >
      {(errorOf) =>
        isConnected ? null : (
          <TextInput
            name="country"
            label="Country"
            description="Two letters, such as DE. It cannot change afterwards. Empty: that of the platform."
            maxLength={2}
            maw={420}
            error={errorOf('/country')}
          />
        )
      }
    </Form>
  );
}
