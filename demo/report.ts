import type { Invoice } from '@tollgate/contracts/money/invoices';
import type { Payout } from '@tollgate/contracts/money/payouts';
import { formatUsd, parseUsd, sumMicros } from '@tollgate/kernel/money';
import type { BalanceMovements } from './read-results.ts';

/** The output of `--json`. Amounts and quantities are those of the service's answers. */
export interface Report {
  readonly events: number;
  readonly repeats_sent: number;
  readonly invoices: readonly ReportedInvoice[];
  readonly balances: readonly ReportedBalance[];
  readonly payout: ReportedPayout;
  readonly reconcile: { readonly equal: boolean };
}

export interface ReportedInvoice {
  readonly consumer: string;
  readonly charge_usd: number;
  readonly total_usd: number;
  readonly balance_paid_usd: number;
  readonly card_paid_usd: number;
  readonly status: string;
  readonly lines: readonly {
    readonly tool: string;
    /** `calls`, or the metadata key that is summed. */
    readonly charge: string;
    readonly quantity: string;
    readonly amount_usd: number;
  }[];
}

/** The first two are what the other three come to. */
export interface ReportedBalance {
  readonly consumer: string;
  readonly granted_usd: number;
  readonly topped_up_usd: number;
  /** Paid for the invoice. */
  readonly paid_usd: number;
  readonly refunded_usd: number;
  readonly left_usd: number;
}

export interface ReportedPayout {
  readonly period: string;
  readonly amount_usd: number;
  readonly fee_usd: number;
  readonly net_usd: number;
  readonly status: string;
}

export function toReportedInvoice(consumer: string, { lines, ...invoice }: Invoice): ReportedInvoice {
  const reported = lines.map((line) => ({
    tool: line.tool_id,
    charge: line.unit,
    quantity: line.quantity,
    amount_usd: line.charge_usd,
  }));
  const { charge_usd, total_usd, balance_paid_usd, card_paid_usd, status } = invoice;
  return { consumer, charge_usd, total_usd, balance_paid_usd, card_paid_usd, status, lines: reported };
}

export function toReportedBalance(
  consumer: string,
  { balance, topUps, credits, refunds, invoice }: BalanceMovements,
): ReportedBalance {
  const succeeded = topUps.top_ups.filter(({ status }) => status === 'succeeded');
  const granted = credits.credits.filter((credit) => credit.top_up_id === null);
  return {
    consumer,
    granted_usd: sumUsd(granted.map(({ amount_usd }) => amount_usd)),
    topped_up_usd: sumUsd(succeeded.map(({ amount_usd }) => amount_usd)),
    paid_usd: invoice.balance_paid_usd,
    refunded_usd: sumUsd(refunds.refunds.map(({ refunded_usd }) => refunded_usd)),
    left_usd: balance.balance_usd,
  };
}

export function toReportedPayout({ period, amount_usd, fee_usd, net_usd, status }: Payout): ReportedPayout {
  return { period, amount_usd, fee_usd, net_usd, status };
}

/** Adds amounts as whole micro-dollars. */
export function sumUsd(amounts: readonly number[]): number {
  return Number(formatUsd(sumMicros(amounts.map((amount) => parseUsd(String(amount))))));
}
