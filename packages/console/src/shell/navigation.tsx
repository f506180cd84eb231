import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { NavigationLink } from '../patterns/links.tsx';

/** The pages, by who looks at them. */
const groups = [
  {
    title: 'Operator',
    isOfOperator: true,
    pages: [
      { to: '/operator', label: 'Today' },
      { to: '/operator/accounts', label: 'Accounts' },
      { to: '/operator/invoices', label: 'All invoices' },
      { to: '/operator/payouts', label: 'All payouts' },
      { to: '/operator/money', label: 'Way of the money' },
      { to: '/operator/unknown-outcomes', label: 'Unknown outcomes' },
      { to: '/operator/dead-letters', label: 'Dead letters' },
      { to: '/operator/period', label: 'Close of the month' },
      { to: '/operator/reconcile', label: 'Reconcile' },
      { to: '/operator/sandbox', label: 'Sandbox' },
    ],
  },
  {
    title: 'Spending',
    pages: [
      { to: '/', label: 'Overview' },
      { to: '/passes', label: 'Passes' },
      { to: '/consents', label: 'Connected clients' },
      { to: '/usage', label: 'Usage' },
      { to: '/calls', label: 'Calls' },
      { to: '/invoices', label: 'Invoices' },
      { to: '/payment', label: 'Payment' },
      { to: '/budget', label: 'Budget and alerts' },
      { to: '/catalogue', label: 'Catalogue' },
    ],
  },
  {
    title: 'Earning',
    pages: [
      { to: '/tools', label: 'Tools' },
      { to: '/revenue', label: 'Revenue' },
      { to: '/payouts', label: 'Payouts' },
    ],
  },
  {
    title: 'Programs',
    pages: [
      { to: '/keys', label: 'API keys' },
      { to: '/webhooks', label: 'Webhooks' },
    ],
  },
  {
    title: 'Account',
    pages: [{ to: '/security', label: 'Sign-in and security' }],
  },
] as const;

interface Navigated {
  readonly isOperator: boolean;
  readonly onNavigate: () => void;
}

export function Navigation({ isOperator, onNavigate }: Navigated): ReactNode {
  const shown = groups.filter((group) => isOperator || !('isOfOperator' in group));
  return shown.map(({ title, pages }) => (
    <div key={title}>
      <Text size="xs" c="dimmed" px="sm" pt="sm">
        {title}
      </Text>
      {pages.map(({ to, label }) => (
        <NavigationLink
          key={to}
          to={to}
          label={label}
          py={6}
          onClick={onNavigate}
          activeOptions={{ exact: to === '/' || to === '/operator', includeSearch: false }}
          activeProps={{ active: true, 'aria-current': 'page' }}
        />
      ))}
    </div>
  ));
}
