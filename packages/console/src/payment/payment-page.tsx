import type { ReactNode } from 'react';
import { useSearch } from '@tanstack/react-router';
import { Alert, Anchor } from '@mantine/core';
import { Page } from '../patterns/page.tsx';
import { Balance } from './balance.tsx';
import { PaymentMethod } from './payment-method.tsx';
import { TopUps } from './top-ups.tsx';

/** Shows how the account pays: its card, its balance and what fills it. */
export function PaymentPage(): ReactNode {
  const { back } = useSearch({ from: '/shell/payment' });
  return (
    <Page title="Payment">
      {back !== undefined && (
        <Alert title="A program waits for your answer.">
          Set up a payment method, then{' '}
          <Anchor href={back} inherit>
            go back to its page
          </Anchor>
          .
        </Alert>
      )}
      <PaymentMethod />
      <Balance />
      <TopUps />
    </Page>
  );
}
