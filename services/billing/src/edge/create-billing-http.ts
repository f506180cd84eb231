import { authorize } from '@tollgate/runtime/auth/require-access';
import { createAccessGuard } from '@tollgate/runtime/nest/access-guard';
import { createNestHttp, type NestHttp } from '@tollgate/runtime/nest/create-nest-http';
import { BillingAccountController } from '../payouts/billing-account.controller.ts';
import { AccountsController } from '../operate/accounts.controller.ts';
import { ClockController } from '../operate/clock.controller.ts';
import { InvoicesController } from '../invoicing/invoices.controller.ts';
import { OperatorPayoutsController } from '../payouts/operator-payouts.controller.ts';
import { PaymentMethodController } from '../processor/payment-method.controller.ts';
import { PayoutsController } from '../payouts/payouts.controller.ts';
import { PeriodsController } from '../invoicing/periods.controller.ts';
import { PricesController } from '../catalogue/prices.controller.ts';
import { CollectionController } from '../collection/collection.controller.ts';
import { ReconcileController } from '../audit/reconcile.controller.ts';
import { RefundsController } from '../refunds/refunds.controller.ts';
import { SandboxPagesController } from '../processor/sandbox/sandbox-pages.controller.ts';
import { SandboxTroubleController } from '../operate/sandbox-trouble.controller.ts';
import { ToolsController } from '../catalogue/tools.controller.ts';
import { TraceController } from '../trace/trace.controller.ts';
import { UsageController } from '../usage/usage.controller.ts';
import { token, type UseCases } from './use-cases.ts';
import { WebhooksController } from '../processor/webhooks.controller.ts';

export function createBillingHttp(useCases: UseCases): NestHttp {
  const names = Object.keys(useCases) as (keyof UseCases)[]; // an interface has no keys at run time; the value has just these
  return createNestHttp({
    name: 'billing-http',
    controllers: [
      BillingAccountController,
      PaymentMethodController,
      WebhooksController,
      ToolsController,
      PricesController,
      UsageController,
      TraceController,
      InvoicesController,
      AccountsController,
      PeriodsController,
      PayoutsController,
      OperatorPayoutsController,
      RefundsController,
      ReconcileController,
      CollectionController,
      ...(useCases.hostedPages ? [SandboxPagesController] : []),
      ...(useCases.sandboxTrouble ? [SandboxTroubleController] : []),
      ...(useCases.sandboxClock ? [ClockController] : []),
    ],
    providers: names.map((name) => ({ provide: token(name), useValue: useCases[name] })),
    guard: createAccessGuard((request) => authorize(request, useCases.credentials)),
  });
}
