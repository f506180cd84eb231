import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import type { AccountDirectory } from '../invoicing/account-directory.ts';
import type { AddPrice } from '../catalogue/add-price.ts';
import type { ArchiveTool } from '../catalogue/archive-tool.ts';
import type { ChangeTool } from '../catalogue/change-tool.ts';
import type { ConnectPayoutAccount } from '../processor/connect-payout-account.ts';
import type { DisconnectPayoutAccount } from '../processor/disconnect-payout-account.ts';
import type { FindInvoice } from '../invoicing/find-invoice.ts';
import type { FindPayout } from '../payouts/find-payout.ts';
import type { FindPayoutAttempts } from '../payouts/find-payout-attempts.ts';
import type { FindPaymentMethod } from '../processor/find-payment-method.ts';
import type { FindPrintedInvoice } from '../invoicing/find-printed-invoice.ts';
import type { FindCharges } from '../collection/find-charges.ts';
import type { FindRefunds } from '../refunds/find-refunds.ts';
import type { FindTool } from '../catalogue/find-tool.ts';
import type { HostedPages } from '../processor/sandbox/hosted-pages.ts';
import type { ListInvoices } from '../invoicing/list-invoices.ts';
import type { ListPayouts } from '../payouts/list-payouts.ts';
import type { ListPrices } from '../catalogue/list-prices.ts';
import type { ListTools } from '../catalogue/list-tools.ts';
import type { MoveClock } from '../operate/move-clock.ts';
import type { OpenDispute } from '../operate/open-dispute.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PreviewInvoice } from '../invoicing/preview-invoice.ts';
import type { ReadBillingAccount } from '../payouts/read-billing-account.ts';
import type { ReadStatement } from '../payouts/read-statement.ts';
import type { ReadUsage } from '../usage/read-usage.ts';
import type { ReceiveWebhook } from '../processor/receive-webhook.ts';
import type { Reconcile } from '../audit/reconcile.ts';
import type { RefundInvoice } from '../refunds/refund-invoice.ts';
import type { RegisterTool } from '../catalogue/register-tool.ts';
import type { RemovePaymentMethod } from '../processor/remove-payment-method.ts';
import type { ScriptedFailures } from '../processor/sandbox/scripted-failures.ts';
import type { SetUpPaymentMethod } from '../processor/set-up-payment-method.ts';
import type { TraceEvent } from '../trace/trace-event.ts';
import type { VoidInvoice } from '../collection/void-invoice.ts';
import type { Watermark } from '../usage/watermark.ts';
import type { RenderInvoicePdf } from '../invoicing/pdf/render-invoice-pdf.ts';
import type { OwnAddressOf } from '../processor/own-address.ts';
import type { ReplyOnce } from '../catalogue/reply-once.ts';

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
