import 'reflect-metadata';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Handle } from '@tollgate/runtime/http/create-http-server';
import type { Service } from '@tollgate/kernel/service';
import express from 'express';
import { BillingAccountController } from '../payouts/billing-account.controller.ts';
import { AccountsController } from '../operate/accounts.controller.ts';
import { ClockController } from '../operate/clock.controller.ts';
import { CredentialsGuard } from './credentials.guard.ts';
import { InvoicesController } from '../invoicing/invoices.controller.ts';
import { OperatorPayoutsController } from '../payouts/operator-payouts.controller.ts';
import { PaymentMethodController } from '../processor/payment-method.controller.ts';
import { PayoutsController } from '../payouts/payouts.controller.ts';
import { PeriodsController } from '../invoicing/periods.controller.ts';
import { PricesController } from '../catalogue/prices.controller.ts';
import { ProblemFilter } from './problem.filter.ts';
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

export interface BillingHttp extends Service {
  readonly handle: Handle;
}

@Module({})
class BillingHttpModule {}

/** Nest's part: routes, the guard and the one filter. It listens to nothing and owns nothing; the use cases are handed in. */
export function createBillingHttp(useCases: UseCases): BillingHttp {
  const server = express().disable('x-powered-by').disable('etag').set('query parser', false); // contracts parse queries
  let app: INestApplication | undefined;
  return {
    name: 'billing-http',
    async start() {
      const options = { bodyParser: false, logger: false, abortOnError: false } as const;
      app = await NestFactory.create(moduleOf(useCases), new ExpressAdapter(server), options);
      app.useGlobalFilters(new ProblemFilter());
      app.useGlobalGuards(new CredentialsGuard(useCases.credentials));
      await app.init();
    },
    async stop() {
      await app?.close();
      app = undefined;
    },
    handle: (request, response) => void server(request, response),
  };
}

function moduleOf(useCases: UseCases) {
  const names = Object.keys(useCases) as (keyof UseCases)[]; // an interface has no keys at run time; the value has just these
  return {
    module: BillingHttpModule,
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
  };
}
