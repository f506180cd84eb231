import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { AccountDirectory } from '../app/account-directory.ts';
import type { AddPrice } from '../app/add-price.ts';
import type { ArchiveTool } from '../app/archive-tool.ts';
import type { ChangeTool } from '../app/change-tool.ts';
import type { ConnectPayoutAccount } from '../app/connect-payout-account.ts';
import type { DisconnectPayoutAccount } from '../app/disconnect-payout-account.ts';
import type { FindInvoice } from '../app/find-invoice.ts';
import type { FindPayout } from '../app/find-payout.ts';
import type { FindPayoutAttempts } from '../app/find-payout-attempts.ts';
import type { FindPaymentMethod } from '../app/find-payment-method.ts';
import type { FindPrintedInvoice } from '../app/find-printed-invoice.ts';
import type { FindCharges } from '../app/find-charges.ts';
import type { FindRefunds } from '../app/find-refunds.ts';
import type { FindTool } from '../app/find-tool.ts';
import type { HostedPages } from '../app/hosted-pages.ts';
import type { ListInvoices } from '../app/list-invoices.ts';
import type { ListPayouts } from '../app/list-payouts.ts';
import type { ListPrices } from '../app/list-prices.ts';
import type { ListTools } from '../app/list-tools.ts';
import type { MoveClock } from '../app/move-clock.ts';
import type { OpenDispute } from '../app/open-dispute.ts';
import type { Catalogue } from '../app/ports.ts';
import type { PreviewInvoice } from '../app/preview-invoice.ts';
import type { ReadBillingAccount } from '../app/read-billing-account.ts';
import type { ReadStatement } from '../app/read-statement.ts';
import type { ReadUsage } from '../app/read-usage.ts';
import type { ReceiveWebhook } from '../app/receive-webhook.ts';
import type { Reconcile } from '../app/reconcile.ts';
import type { RefundInvoice } from '../app/refund-invoice.ts';
import type { RegisterTool } from '../app/register-tool.ts';
import type { RemovePaymentMethod } from '../app/remove-payment-method.ts';
import type { ScriptedFailures } from '../app/scripted-failures.ts';
import type { SetUpPaymentMethod } from '../app/set-up-payment-method.ts';
import type { TraceEvent } from '../app/trace-event.ts';
import type { VoidInvoice } from '../app/void-invoice.ts';
import type { Watermark } from '../app/watermark.ts';
import type { RenderInvoicePdf } from './invoice-pdf/render-invoice-pdf.ts';
import type { OwnAddressOf } from './own-address.ts';
import type { ReplyOnce } from './reply-once.ts';

/** What there is to do with the payment processor. */
export interface ProcessorUseCases {
  readonly readBillingAccount: ReadBillingAccount;
  readonly connectPayoutAccount: ConnectPayoutAccount;
  readonly disconnectPayoutAccount: DisconnectPayoutAccount;
  readonly setUpPaymentMethod: SetUpPaymentMethod;
  readonly findPaymentMethod: FindPaymentMethod;
  readonly removePaymentMethod: RemovePaymentMethod;
  readonly reconcile: Reconcile;
  readonly refundInvoice: RefundInvoice;
  readonly findRefunds: FindRefunds;
  readonly voidInvoice: VoidInvoice;
  readonly findCharges: FindCharges;
  readonly receiveWebhook: ReceiveWebhook;
  /** Only with the sandbox processor. */
  readonly hostedPages?: HostedPages;
  /** Only with the sandbox processor. */
  readonly sandboxTrouble?: { readonly failures: ScriptedFailures; readonly openDispute: OpenDispute };
  readonly ownAddressOf: OwnAddressOf;
}

/** All that the controllers are given. Nest hands each over by value, under the token of its name. */
export interface UseCases extends ProcessorUseCases {
  readonly credentials: Credentials;
  readonly catalogue: Catalogue;
  readonly replyOnce: ReplyOnce;
  readonly registerTool: RegisterTool;
  readonly findTool: FindTool;
  readonly listTools: ListTools;
  readonly changeTool: ChangeTool;
  readonly archiveTool: ArchiveTool;
  readonly addPrice: AddPrice;
  readonly listPrices: ListPrices;
  readonly readUsage: ReadUsage;
  readonly traceEvent: TraceEvent;
  readonly listInvoices: ListInvoices;
  readonly findInvoice: FindInvoice;
  readonly findPrintedInvoice: FindPrintedInvoice;
  readonly renderInvoicePdf: RenderInvoicePdf;
  readonly previewInvoice: PreviewInvoice;
  readonly listPayouts: ListPayouts;
  readonly findPayout: FindPayout;
  readonly readStatement: ReadStatement;
  readonly findPayoutAttempts: FindPayoutAttempts;
  readonly accounts: AccountDirectory;
  readonly watermark: Watermark;
  /** Only where the clock can be moved. */
  readonly sandboxClock?: { readonly clock: SandboxClock; readonly moveClock: MoveClock };
  readonly nowMs: () => number;
}

export function token(name: keyof UseCases): string {
  return `billing.${name}`;
}
