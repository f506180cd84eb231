import type { Clock } from '@tollgate/kernel/clock';
import type { Checks, Service } from '@tollgate/kernel/service';
import { outgoingOptionsOf } from '@tollgate/runtime/config/outgoing-settings';
import { createOutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { issuerOf } from '@tollgate/runtime/auth/issuer-of';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { Notifications } from '@tollgate/database/notifications';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { wireAudit } from './audit/wire.ts';
import { wireBalance } from './balance/wire.ts';
import { wireCatalogue } from './catalogue/wire.ts';
import { createCollectAtOnce } from './collection/collect-invoices.ts';
import { wireCollection } from './collection/wire.ts';
import type { Config } from './config.ts';
import { createBillingHttp } from './create-billing-http.ts';
import { wireForecast } from './forecast/wire.ts';
import { wireInvoicing } from './invoicing/wire.ts';
import { moneySettingsOf, priceBoundsOf } from './money-settings.ts';
import { openCredentials, apiConnectionsOf, openDatabases, type Databases } from './open-databases.ts';
import type { DiskRoom } from './operate/machine-state.ts';
import { wireOperate } from './operate/wire.ts';
import { wirePayouts } from './payouts/wire.ts';
import { createProcessorHooks } from './processor-hooks.ts';
import { openProcessor } from './processor/open-processor.ts';
import { wireProcessor } from './processor/wire.ts';
import { wireRefunds } from './refunds/wire.ts';
import { wireTrace } from './trace/wire.ts';
import { wireUsage } from './usage/wire.ts';

export interface BillingDeps {
  readonly clock: Clock;
  /** The same clock as `clock`, if the operator may move it: only with the sandbox processor. */
  readonly sandboxClock?: SandboxClock | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** The disk of the data folder. Left out: the database is a server's. */
  readonly readDisk?: (() => DiskRoom) | undefined;
  /** Default: a connection of the service's own. */
  readonly notifications?: Notifications | undefined;
}

export type Billing = Service & Required<Pick<Service, 'handle' | 'readiness'>>;

/** The parts of a module that the service runs. */
interface Wired {
  readonly controllers: readonly NestController[];
  /** Started in this order, stopped in reverse. */
  readonly parts?: readonly Service[];
}

/** Creates the billing service: the tool catalogue, usage, invoices, payments and payouts. */
export function createBilling(config: Config, deps: BillingDeps): Billing {
  const { clock, log, metrics, notifications } = deps;
  const { databases, parts: pools } = openDatabases(config, log);
  const { worker } = databases;
  const modules = wireModules(config, databases, deps);
  const { credentials, parts: credentialParts } = openCredentials(config, { worker, notifications, clock, log });
  const readiness = (): Checks => parts.readiness?.() ?? {};
  const controllers = modules.flatMap((module) => module.controllers);
  const http = createBillingHttp(config, { worker, controllers, credentials, readiness, clock, log, metrics });
  const moduleParts = modules.flatMap((module) => module.parts ?? []);
  const parts = combine('billing', [...pools, ...credentialParts, ...moduleParts, http]);
  return { ...parts, readiness, handle: http.handle };
}

/** Wires the modules in the order of the money. `around` is what stands around each of them. */
function wireModules(config: Config, databases: Databases, { sandboxClock, ...deps }: BillingDeps): readonly Wired[] {
  const { api, worker, jobs, settling, ofProcessor, reconciling, nightly } = databases;
  const { clock, log, metrics, readDisk } = deps;
  const around = { clock, log, metrics };
  const processor = openProcessor(config, { database: ofProcessor, clock });
  const { name: processorName } = processor;
  const { scope, feeBearer, minimumMicros, issuer, payouts: settings, ...bounds } = moneySettingsOf(config);
  const idempotency = createIdempotency({ schema: 'billing', clock });

  const catalogue = wireCatalogue({ ...catalogueSettingsOf(config), idempotency, clock, log });
  const { replyOnce } = catalogue;
  const hooks = createProcessorHooks({ settling, processor, scope, feeBearer, clock, log });
  const onApplied = () => operating.announce(); // only called after the start, when `operating` exists
  const atProcessor = { api, worker, settling, ofProcessor, processor, replyOnce, hooks, onApplied };
  const processing = wireProcessor(config, { ...atProcessor, ...around });
  const { attempts, ownAddressOf, refresh, sandbox } = processing;
  const usage = wireUsage({ api, worker, jobs, scope, usageAlerts: bounds.usageAlerts, ...around });
  const forecast = wireForecast({ api, jobs, clock, log });
  const invoicing = wireInvoicing({ api, worker, jobs, minimumMicros, issuer, ...around });
  const { closeDuePeriods, readUnbilled, readUnbilledCharges, printPdf } = invoicing;
  const balance = wireBalance({
    api,
    database: settling,
    attempts,
    processorName,
    collectAtOnce: createCollectAtOnce({ clock }),
    readUnbilled,
    readUnbilledCharges,
    clock,
    log,
  });
  const collection = wireCollection({
    database: settling,
    worker,
    attempts,
    processorName,
    terms: { scope, feeBearer },
    atOnce: config.PROCESSOR === 'stripe' ? 4 : 1,
    maxCents: bounds.collectMaxCents,
    ...around,
  });
  const refunds = wireRefunds({ api, database: settling, processor, attempts, readUnbilled, printPdf, clock });
  const payouts = wirePayouts(
    { api, worker, database: settling, processor, attempts, scope, settings, ...around },
    { ...processing.useCases, ownAddressOf, replyOnce },
  );
  const audit = wireAudit({ jobs, reconciling, nightly, processor, ...around });
  const trace = wireTrace({ api, worker, processor, scope, payouts: settings });
  const due = [invoicing, balance, collection, processing, payouts, audit, usage, forecast];
  const dueSteps = due.flatMap((module) => module.dueSteps);
  const toRun = { closeDuePeriods, dueSteps, refresh, sandbox, sandboxClock, idempotency, payouts: settings };
  const operating = wireOperate(config, { worker, settling, processor, readDisk, ...toRun, ...around });
  const ofMoney = [invoicing, balance, collection, refunds, payouts];
  return [catalogue, processing, usage, forecast, ...ofMoney, audit, trace, operating];
}

function catalogueSettingsOf(config: Config) {
  return {
    url: config.DATABASE_API_URL,
    maxConnections: apiConnectionsOf(config),
    toolsMax: config.TOOLS_PER_ACCOUNT_MAX,
    versionsMax: config.PRICE_VERSIONS_PER_TOOL_MAX,
    priceBounds: priceBoundsOf(config),
    outgoingFetch: createOutgoingFetch(outgoingOptionsOf(config)),
    issuer: issuerOf(config.PUBLIC_URL),
  };
}
