import type { ReactNode } from 'react';
import { Page } from '../patterns/page.tsx';
import { Balance } from './balance.tsx';
import { PaymentMethod } from './payment-method.tsx';
import { TopUps } from './top-ups.tsx';

/** Shows how the account pays: its card, its balance and what fills it. */
export function PaymentPage(): ReactNode {
  return (
    <Page title="Payment">
      <PaymentMethod />
      <Balance />
      <TopUps />
    </Page>
  );
}
