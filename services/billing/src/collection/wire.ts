import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { FeeBearer } from '../fees/fee-bearer.ts';
import type { FeeScope } from '../fees/fee-scope.ts';
import type { Attempts } from '../processor/create-attempts.ts';
import type { Processor } from '../processor/processor.ts';
import { agingController } from './aging.controller.ts';
import { createAgeInvoices } from './age-invoices.ts';
import { createCollectInvoices } from './collect-invoices.ts';
import { collectionController } from './collection.controller.ts';
import { createConfirmInvoice } from './confirm-invoice.ts';
import { createFindCharges } from './find-charges.ts';
import { createObserveHeldInvoices } from './observe-held-invoices.ts';
import { createVoidInvoice } from './void-invoice.ts';

export interface CollectionDeps {
  readonly settling: Database;
  readonly worker: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly attempts: Attempts;
  readonly scope: FeeScope;
  /** Default: the platform. */
  readonly feeBearer?: FeeBearer | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many charges are given to the processor at once. */
  readonly chargesAtOnce: number;
  /** An invoice above this is charged once the operator has confirmed it. */
  readonly collectMaxCents: bigint;
  readonly metrics?: Metrics | undefined;
  readonly batchMax?: number;
}

/** Wires the charging, aging, voiding and writing off of invoices. */
export function wireCollection({
  settling: database,
  processor,
  attempts,
  scope,
  feeBearer = 'platform',
  clock,
  log,
  ...deps
}: CollectionDeps) {
  const processorName = processor.name;
  const terms = { scope, feeBearer };
  const { worker, chargesAtOnce: atOnce, collectMaxCents: maxCents, metrics, ...batch } = deps;
  const useCases = {
    voidInvoice: createVoidInvoice({ database, clock }),
    confirmInvoice: createConfirmInvoice({ database, clock }),
    findCharges: createFindCharges({ database }),
  };
  return {
    useCases,
    dueSteps: [
      createAgeInvoices({ database, log, ...batch }),
      createCollectInvoices({ database, attempts, processorName, terms, log, atOnce, maxCents, ...batch }),
      createObserveHeldInvoices({ database, metrics }),
    ],
    controllers: [collectionController(useCases), agingController({ worker, nowMs: clock.now })],
  };
}
