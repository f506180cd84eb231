import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Attempts } from '../processor/create-attempts.ts';
import { createFindRefunds } from './find-refunds.ts';
import { createRefundInvoice } from './refund-invoice.ts';
import { refundsController } from './refunds.controller.ts';

export interface RefundsDeps {
  readonly settling: Database;
  readonly attempts: Attempts;
  readonly clock: Clock;
}

/** Wires the operator's routes for refunds. */
export function wireRefunds({ settling: database, attempts, clock }: RefundsDeps) {
  const useCases = {
    refundInvoice: createRefundInvoice({ database, clock, attempts }),
    findRefunds: createFindRefunds({ database }),
  };
  return { useCases, controllers: [refundsController(useCases)] };
}
