import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Attempts } from '../processor/create-attempts.ts';
import { createFindRefunds } from './find-refunds.ts';
import { createRefundInvoice } from './refund-invoice.ts';
import { refundsController } from './refunds.controller.ts';
import { createReturnStrayMoney } from './return-stray-money.ts';
import { strayMoneyController } from './stray-money.controller.ts';

export interface RefundsDeps {
  readonly settling: Database;
  readonly attempts: Attempts;
  readonly clock: Clock;
}

/** Wires the operator's routes for refunds and stray money. */
export function wireRefunds({ settling: database, attempts, clock }: RefundsDeps) {
  const deps = { database, clock, attempts };
  const useCases = {
    refundInvoice: createRefundInvoice(deps),
    findRefunds: createFindRefunds({ database }),
    returnStrayMoney: createReturnStrayMoney(deps),
  };
  return {
    useCases,
    controllers: [refundsController(useCases), strayMoneyController({ settling: database, ...useCases })],
  };
}
