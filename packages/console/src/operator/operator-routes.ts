import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../shell/shell-route.ts';
import { filtersOf } from './filters-of.ts';

const frame = createRoute({
  getParentRoute: () => shell,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator-frame.tsx'), 'OperatorFrame'),
});

const pages = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    component: lazyRouteComponent(() => import('./today-page.tsx'), 'TodayPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/accounts',
    validateSearch: filtersOf('email', 'status', 'cursor'),
    component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/accounts/$id',
    component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/invoices',
    validateSearch: filtersOf('status', 'period', 'account_id', 'held', 'cursor'),
    component: lazyRouteComponent(() => import('./invoices-page.tsx'), 'OperatorInvoicesPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/invoices/$id',
    component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'OperatorInvoicePage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/payouts',
    validateSearch: filtersOf('status', 'period', 'account_id', 'cursor'),
    component: lazyRouteComponent(() => import('./payouts-page.tsx'), 'OperatorPayoutsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/payouts/$id',
    component: lazyRouteComponent(() => import('./payout-page.tsx'), 'OperatorPayoutPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/money',
    validateSearch: filtersOf('period'),
    component: lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/unknown-outcomes',
    validateSearch: filtersOf('cursor'),
    component: lazyRouteComponent(() => import('./unknown-outcomes-page.tsx'), 'UnknownOutcomesPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/dead-letters',
    validateSearch: filtersOf('code', 'replayed', 'cursor'),
    component: lazyRouteComponent(() => import('./dead-letters-page.tsx'), 'DeadLettersPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/dead-letters/$id',
    component: lazyRouteComponent(() => import('./dead-letter-page.tsx'), 'DeadLetterPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/period',
    validateSearch: filtersOf('period', 'cursor'),
    component: lazyRouteComponent(() => import('./period-page.tsx'), 'PeriodPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/reconcile',
    validateSearch: filtersOf('period', 'keys'),
    component: lazyRouteComponent(() => import('./reconcile-page.tsx'), 'ReconcilePage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/sandbox',
    component: lazyRouteComponent(() => import('./sandbox-page.tsx'), 'SandboxPage'),
  }),
] as const;

/** The pages of the operator, below `/app/operator`. */
export const operatorPages = frame.addChildren(pages);
