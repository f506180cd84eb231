import type { Clock } from '@tollgate/kernel/clock';
import type { Checks, Service } from '@tollgate/kernel/service';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { Notifications } from '@tollgate/database/notifications';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { wireAudit } from './audit/wire.ts';
import { wireBalance } from './balance/wire.ts';
import { wireCatalogue } from './catalogue/wire.ts';
import { createCollectAtOnce } from './collection/collect-at-once.ts';
import { wireCollection } from './collection/wire.ts';
import type { Config } from './config.ts';
import { createBillingHttp } from './create-billing-http.ts';
import { wireInvoicing } from './invoicing/wire.ts';
import { moneySettingsOf, priceBoundsOf } from './money-settings.ts';
import { openCredentials } from './open-credentials.ts';
import { apiConnectionsOf, openDatabases } from './open-databases.ts';
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
  const { databases, parts: pools } = openDatabases(config, deps.log);
  const processor = openProcessor(config, { database: databases.ofProcessor, clock: deps.clock });
  const shared = { ...deps, ...databases, ...moneySettingsOf(config), processor };
  const idempotency = createIdempotency({ schema: 'billing', clock: deps.clock });

  const catalogue = wireCatalogue({
    ...shared,
    url: config.DATABASE_API_URL,
    maxConnections: apiConnectionsOf(config),
    toolsMax: config.TOOLS_PER_ACCOUNT_MAX,
    versionsMax: config.PRICE_VERSIONS_PER_TOOL_MAX,
    priceBounds: priceBoundsOf(config),
    idempotency,
  });
  const { replyOnce } = catalogue;
  const hooks = createProcessorHooks(shared);
  const processing = wireProcessor(config, {
    ...shared,
    replyOnce,
    hooks,
    onApplied() {
      operating.announce(); // only called after the start, when `operating` exists
    },
  });
  const { attempts } = processing;
  const usage = wireUsage(shared);
  const invoicing = wireInvoicing(shared);
  const chargesAtOnce = config.PROCESSOR === 'stripe' ? 4 : 1;
  const balance = wireBalance({ ...shared, ...invoicing, attempts, collectAtOnce: createCollectAtOnce(shared) });
  const collection = wireCollection({ ...shared, attempts, chargesAtOnce });
  const refunds = wireRefunds({
    api: databases.api,
    database: databases.settling,
    processor,
    attempts,
    readUnbilled: invoicing.readUnbilled,
    printPdf: invoicing.printPdf,
    clock: deps.clock,
  });
  const payouts = wirePayouts({ ...shared, ...processing, replyOnce });
  const audit = wireAudit(shared);
  const trace = wireTrace(shared);
  const dueSteps = [invoicing, balance, collection, processing, payouts, audit, usage].flatMap(
    ({ dueSteps: steps }) => steps,
  );
  const operating = wireOperate(config, { ...shared, ...processing, ...invoicing, dueSteps, idempotency });

  const modules: readonly Wired[] = [
    catalogue,
    processing,
    usage,
    invoicing,
    balance,
    collection,
    refunds,
    payouts,
    audit,
    trace,
    operating,
  ];
  const { credentials, parts: credentialParts } = openCredentials(config, shared);
  const readiness = (): Checks => parts.readiness?.() ?? {};
  const http = createBillingHttp(config, {
    ...shared,
    controllers: modules.flatMap(({ controllers }) => controllers),
    credentials,
    readiness,
  });
  const moduleParts = modules.flatMap(({ parts = [] }) => parts);
  const parts = combine('billing', [...pools, ...credentialParts, ...moduleParts, http]);
  return { ...parts, readiness, handle: http.handle };
}
