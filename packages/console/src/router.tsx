import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readCallsSearch } from './calls/calls-search.ts';
import { operatorPages } from './operator/operator-routes.ts';
import { OverviewPage } from './overview/overview-page.tsx';
import { readPageSearch } from './patterns/page-search.ts';
import { readSearch } from './patterns/read-search.ts';
import { readPaymentSearch } from './payment/payment-search.ts';
import { readSignInSearch } from './session/sign-in-search.ts';
import { PageFailure } from './shell/page-failure.tsx';
import { root, shell } from './shell/shell-route.ts';
import { readUsageSearch } from './usage/usage-search.ts';

const doors = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: readSignInSearch,
    component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./session/sign-up-page.tsx'), 'SignUpPage'),
  }),
] as const;

const pages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: OverviewPage, // most visits begin here, and its parts are those of nearly all pages
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/passes',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./passes/passes-page.tsx'), 'PassesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/passes/new',
    component: lazyRouteComponent(() => import('./passes/new-pass-page.tsx'), 'NewPassPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/passes/$id',
    component: lazyRouteComponent(() => import('./passes/pass-page.tsx'), 'PassPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/consents',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./consents/consents-page.tsx'), 'ConsentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/calls',
    validateSearch: readCallsSearch,
    component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/calls/$id',
    component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/usage',
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import('./usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/invoices',
    validateSearch: (search: Record<string, unknown>) => readSearch(search, ['status', 'period', 'cursor']),
    component: lazyRouteComponent(() => import('./invoices/invoices-page.tsx'), 'InvoicesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/invoices/$id',
    component: lazyRouteComponent(() => import('./invoices/invoice-page.tsx'), 'InvoicePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/budget',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./budget/budget-page.tsx'), 'BudgetPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/payment',
    validateSearch: (search: Record<string, unknown>) => ({ ...readPageSearch(search), ...readPaymentSearch(search) }),
    component: lazyRouteComponent(() => import('./payment/payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/catalogue',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./catalogue/catalogue-page.tsx'), 'CataloguePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/catalogue/$slug',
    component: lazyRouteComponent(() => import('./catalogue/offer-page.tsx'), 'OfferPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/keys',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks',
    validateSearch: (search: Record<string, unknown>) => readSearch(search, ['type', 'cursor']),
    component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhook-events/$id',
    component: lazyRouteComponent(() => import('./webhooks/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/security',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./security/security-page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tools',
    validateSearch: readPageSearch,
    component: lazyRouteComponent(() => import('./tools/tools-page.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/tools/$slug',
    component: lazyRouteComponent(() => import('./tools/tool-page.tsx'), 'ToolPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/revenue',
    component: lazyRouteComponent(() => import('./revenue/revenue-page.tsx'), 'RevenuePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/payouts',
    validateSearch: (search: Record<string, unknown>) => readSearch(search, ['status', 'cursor']),
    component: lazyRouteComponent(() => import('./payouts/payouts-page.tsx'), 'PayoutsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/payouts/$id',
    component: lazyRouteComponent(() => import('./payouts/payout-page.tsx'), 'PayoutPage'),
  }),
] as const;

/** The pages of the console, below `/app`. Each but the first is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([...doors, shell.addChildren([...pages, operatorPages])]),
  basepath: '/app',
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
  // Filters are read by people: `?tool_id=weather`, without the quotes of JSON.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch(search) {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][]).toString()}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
