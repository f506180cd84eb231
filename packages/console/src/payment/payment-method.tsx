import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { sentenceOf } from '../api/problem.ts';
import { askOrNull } from '../api/queries.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';

/** The card that pays invoices and top-ups. The processor's own page asks for its number. */
export function PaymentMethod(): ReactNode {
  const method = useQuery({ ...askOrNull('getPaymentMethod'), refetchInterval: 3_000 });
  return (
    <Section title="Payment method">
      <Loaded of={method}>{(shown) => <Shown method={shown} />}</Loaded>
    </Section>
  );
}

function Shown({ method }: { readonly method: Schemas['PaymentMethod'] | null }): ReactNode {
  const setting = useMutation({
    mutationFn: () =>
      call('setUpPaymentMethod', { body: { return_url: location.href }, idempotencyKey: crypto.randomUUID() }),
    onSuccess: ({ setup_url: url }) => location.assign(url),
  });
  return (
    <>
      <Text>
        {method === null
          ? 'There is none: invoices that the balance does not cover stay unpaid.'
          : `${method.brand} ending in ${method.last4}, until ${String(method.exp_month).padStart(2, '0')}/${method.exp_year}`}
      </Text>
      {setting.isError && <Text role="alert">{sentenceOf(setting.error)}</Text>}
      <Group>
        <Button loading={setting.isPending} onClick={() => setting.mutate()}>
          {method === null ? 'Set up a payment method' : 'Replace payment method'}
        </Button>
        {method !== null && (
          <Confirm label="Remove payment method" isDestructive act={() => call('removePaymentMethod')}>
            <Text>
              Nothing is charged any more. Invoices that fall due and are not covered by the balance stay unpaid, and an
              account that does not pay is refused in the end.
            </Text>
          </Confirm>
        )}
      </Group>
    </>
  );
}
