import type { Invoice } from '@tollgate/contracts/invoices';
import type { Payout } from '@tollgate/contracts/payouts';

/** The output of `--json`. Amounts and quantities are those of the service's answers. */
export interface Report {
  readonly events: number;
  readonly repeats_sent: number;
  readonly invoices: readonly ReportedInvoice[];
  readonly payout: ReportedPayout;
  readonly reconcile: { readonly equal: boolean };
}

export interface ReportedInvoice {
  readonly consumer: string;
  readonly charge_usd: number;
  readonly total_usd: number;
  readonly status: string;
  readonly lines: readonly {
    readonly tool: string;
    /** `calls`, or the metadata key that is summed. */
    readonly charge: string;
    readonly quantity: string;
    readonly amount_usd: number;
  }[];
}

export interface ReportedPayout {
  readonly period: string;
  readonly amount_usd: number;
  readonly fee_usd: number;
  readonly net_usd: number;
  readonly status: string;
}

export function toReportedInvoice(
  consumer: string,
  { charge_usd, total_usd, status, lines }: Invoice,
): ReportedInvoice {
  const reported = lines.map((line) => ({
    tool: line.tool_id,
    charge: line.unit,
    quantity: line.quantity,
    amount_usd: line.charge_usd,
  }));
  return { consumer, charge_usd, total_usd, status, lines: reported };
}

export function toReportedPayout({ period, amount_usd, fee_usd, net_usd, status }: Payout): ReportedPayout {
  return { period, amount_usd, fee_usd, net_usd, status };
}
