import type { PdfPrinter } from '../invoicing/pdf/pdf-printer.ts';
import { balanceRefundsController, balanceRefundsOfAccountController } from './balance-refunds.controller.ts';
import { creditNotesController } from './credit-notes.controller.ts';
import type { RefundsDeps } from './refund.ts';
import { refundsController, strayMoneyController } from './refunds.controller.ts';
import { createRefunds } from './refunds.ts';

/** Wires the operator's routes for refunds and stray money, and the consumers' for credit notes. */
export function wireRefunds(deps: RefundsDeps & { readonly printPdf: PdfPrinter['print'] }) {
  const refunds = createRefunds(deps);
  return {
    useCases: refunds,
    controllers: [
      refundsController(refunds),
      strayMoneyController(refunds),
      creditNotesController(refunds, deps.printPdf),
      balanceRefundsController(refunds),
      balanceRefundsOfAccountController(refunds),
    ],
  };
}
