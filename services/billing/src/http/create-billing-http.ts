import 'reflect-metadata';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Handle } from '@tollgate/runtime/http/create-http-server';
import type { Service } from '@tollgate/runtime/lifecycle/service';
import express from 'express';
import { BillingAccountController } from './billing-account.controller.ts';
import { AccountsController } from './accounts.controller.ts';
import { ClockController } from './clock.controller.ts';
import { CredentialsGuard } from './credentials.guard.ts';
import { InvoicesController } from './invoices.controller.ts';
import { OperatorPayoutsController } from './operator-payouts.controller.ts';
import { PaymentMethodController } from './payment-method.controller.ts';
import { PayoutsController } from './payouts.controller.ts';
import { PeriodsController } from './periods.controller.ts';
import { PricesController } from './prices.controller.ts';
import { ProblemFilter } from './problem.filter.ts';
import { CollectionController } from './collection.controller.ts';
import { ReconcileController } from './reconcile.controller.ts';
import { RefundsController } from './refunds.controller.ts';
import { SandboxPagesController } from './sandbox-pages.controller.ts';
import { SandboxTroubleController } from './sandbox-trouble.controller.ts';
import { ToolsController } from './tools.controller.ts';
import { TraceController } from './trace.controller.ts';
import { UsageController } from './usage.controller.ts';
import { token, type UseCases } from './use-cases.ts';
import { WebhooksController } from './webhooks.controller.ts';

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
