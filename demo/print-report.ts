import { dirname } from 'node:path';
import { styleText } from 'node:util';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import { addDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { renderTable } from './render-table.ts';
import { sumUsd, type ReportedBalance, type ReportedInvoice, type ReportedPayout } from './report.ts';
import type { DemoResult } from './run-demo.ts';

/** The report for a person: usage, invoices, balances, the payout with its fee, the reconciliation, and the printed files. */
export function printReport({ report, reconciliation, pdfFiles }: DemoResult, stream: NodeJS.WriteStream): string {
  const bold = (text: string) => styleText('bold', text, { stream });
  const verdict = reconciliation.equal
    ? styleText('green', '✓ everything agrees', { stream })
    : styleText('red', '✗ something differs', { stream });
  const { invoices, balances, payout, events, repeats_sent: repeats } = report;
  return `
  ${bold('Used')}: ${count(events)} calls, ${count(repeats)} of them sent twice and counted once

${usedTable(invoices)}

  ${bold('Invoices')} for ${payout.period}

${invoiceTable(invoices)}

  ${bold('Balances')}, spent before cards

${balanceTable(balances)}

  ${bold('Payout')} for ${payout.period}: ${payout.status}

${payoutTable(payout)}

  ${bold('Reconciled')}: ${verdict}

${reconciliationTable(reconciliation)}

  ${bold('Printed')}: ${pdfFiles.length} invoices in ${dirname(pdfFiles[0] ?? '')}

`;
}

function usedTable(invoices: readonly ReportedInvoice[]): string {
  const lines = invoices.flatMap((invoice) => invoice.lines);
  const byCharge = Map.groupBy(lines, ({ tool, charge }) => `${tool} ${charge}`);
  const rows = Array.from(byCharge.values(), (same) => [
    same[0]?.tool ?? '',
    same[0]?.charge.replace('_', ' ') ?? '',
    sumQuantities(same.map(({ quantity }) => quantity)),
    usd(6, ...same.map(({ amount_usd: amount }) => amount)),
  ]);
  const sum = usd(6, ...lines.map(({ amount_usd: amount }) => amount));
  return renderTable(['Tool', 'Charge', '>Quantity', '>USD'], rows, ['', '', '', sum]);
}

function invoiceTable(invoices: readonly ReportedInvoice[]): string {
  const amounts = (of: readonly ReportedInvoice[]) => [
    usd(6, ...of.map(({ charge_usd: charge }) => charge)),
    usd(2, ...of.map(({ total_usd: total }) => total)),
    usd(2, ...of.map(({ balance_paid_usd: paid }) => paid)),
    usd(2, ...of.map(({ card_paid_usd: paid }) => paid)),
  ];
  const rows = invoices.map((invoice) => [invoice.consumer, ...amounts([invoice]), invoice.status]);
  const titles = ['Consumer', '>Charged USD', '>Billed USD', '>By balance', '>By card', 'Status'];
  return renderTable(titles, rows, ['', ...amounts(invoices), '']);
}

function balanceTable(balances: readonly ReportedBalance[]): string {
  const amounts = (of: readonly ReportedBalance[]) => [
    usd(2, ...of.map(({ granted_usd: granted }) => granted)),
    usd(2, ...of.map(({ topped_up_usd: toppedUp }) => toppedUp)),
    usd(2, ...of.map(({ paid_usd: paid }) => -paid)),
    usd(2, ...of.map(({ refunded_usd: refunded }) => -refunded)),
    usd(2, ...of.map(({ left_usd: left }) => left)),
  ];
  const rows = balances.map((balance) => [balance.consumer, ...amounts([balance])]);
  const titles = ['Consumer', '>Granted', '>Topped up', '>Invoice', '>Refunded', '>Left'];
  return renderTable(titles, rows, ['', ...amounts(balances)]);
}

function payoutTable({ amount_usd: amount, fee_usd: fee, net_usd: net }: ReportedPayout): string {
  const rows = [
    ['Earned by the builder', usd(2, amount)],
    ['Platform fee: 0 % of the first 1,000 USD, then 4 %', usd(2, -fee)],
  ];
  return renderTable(['', '>USD'], rows, ['Transferred', usd(2, net)]);
}

function reconciliationTable({ steps }: Reconciliation): string {
  const rows = steps.flatMap(({ equal, left, right, unit }) => [
    [equal ? '✓' : '✗', left.what, sumQuantities([left.sum]), unit],
    ['', right.what, sumQuantities([right.sum]), unit],
  ]);
  const differing = steps.flatMap((step) => step.rows.map((row) => `\n    differs: ${row}`));
  return renderTable(['', 'Compared', '>Sum', ''], rows) + differing.join('');
}

function usd(decimals: number, ...amounts: readonly number[]): string {
  return sumUsd(amounts).toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function sumQuantities(quantities: readonly string[]): string {
  const sum = quantities.map(parseDecimal).reduce(addDecimals);
  return Number(formatDecimal(sum)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function count(quantity: number): string {
  return quantity.toLocaleString('en-US');
}
