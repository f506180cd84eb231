import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { Processor } from '../processor/processor.ts';
import { createNightlyLedgerCheck } from './check-ledger.ts';
import { moneyPathController } from './money-path.controller.ts';
import { reconcileController, reportsController } from './reports.controller.ts';
import { createSealBooks } from './seal-books.ts';
import { createReconcile } from './reconcile.ts';

export interface AuditDeps {
  /** Seals what was committed. */
  readonly jobs: Database;
  readonly reconciling: Database;
  /** For the nightly check, which starts and stops it. */
  readonly nightly: Database;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Wires the seals of the books, the nightly ledger check, and the operator's route that reconciles a period. */
export function wireAudit({ jobs, reconciling, nightly, processor, clock, log, metrics }: AuditDeps) {
  const reconcile = createReconcile({ database: reconciling, processor });
  return {
    dueSteps: [createSealBooks({ database: jobs })],
    controllers: [
      reconcileController(reconcile),
      reportsController({ reconciling, nowMs: clock.now }),
      moneyPathController({ reconciling }),
    ],
    parts: [createNightlyLedgerCheck({ database: nightly, clock, log, metrics })],
  };
}
