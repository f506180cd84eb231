import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Attempts } from '../processor/create-attempts.ts';
import type { PdfPrinter } from '../invoicing/pdf/pdf-printer.ts';
import { creditNotesController } from './credit-notes.controller.ts';
import { balanceRefundsController, balanceRefundsOfAccountController } from './balance-refunds.controller.ts';
import {
  createFindBalanceRefund,
  createListBalanceRefunds,
  createListBalanceRefundsOfAccount,
} from './find-balance-refunds.ts';
import { createFindCreditNote, createListCreditNotes } from './find-credit-note.ts';
import type { DisputedChargesDeps } from './disputed-charges.ts';
import { createFindRefunds } from './find-refunds.ts';
import { createRefundBalance, type RefundBalanceDeps } from './refund-balance.ts';
import { createRefundInvoice } from './refund-invoice.ts';
import { refundsController } from './refunds.controller.ts';
import { createReturnStrayMoney } from './return-stray-money.ts';
import { strayMoneyController } from './stray-money.controller.ts';

export interface RefundsDeps {
  readonly api: Database;
  readonly settling: Database;
  readonly processor: DisputedChargesDeps['processor'];
  /** Prints documents; invoicing's. */
  readonly printPdf: PdfPrinter['print'];
  readonly attempts: Attempts;
  /** Invoicing's. */
  readonly readUnbilled: RefundBalanceDeps['readUnbilled'];
  readonly clock: Clock;
}

/** Wires the operator's routes for refunds and stray money, and the consumers' for credit notes. */
export function wireRefunds({
  api,
  settling: database,
  processor,
  attempts,
  clock,
  printPdf,
  readUnbilled,
}: RefundsDeps) {
  const deps = { database, processor, clock, attempts };
  const useCases = {
    refundInvoice: createRefundInvoice(deps),
    findRefunds: createFindRefunds({ database }),
    returnStrayMoney: createReturnStrayMoney(deps),
  };
  const ofNotes = {
    listCreditNotes: createListCreditNotes({ database: api }),
    findCreditNote: createFindCreditNote({ database: api, worker: database }),
    printPdf,
  };
  const ofBalances = {
    refundBalance: createRefundBalance({ ...deps, readUnbilled }),
    findBalanceRefund: createFindBalanceRefund({ api }),
    listBalanceRefunds: createListBalanceRefunds({ api }),
    listBalanceRefundsOfAccount: createListBalanceRefundsOfAccount({ database }),
  };
  return {
    useCases: { ...useCases, ...ofNotes, ...ofBalances },
    controllers: [
      refundsController(useCases),
      strayMoneyController({ settling: database, ...useCases }),
      creditNotesController(ofNotes),
      balanceRefundsController(ofBalances),
      balanceRefundsOfAccountController(ofBalances),
    ],
  };
}
