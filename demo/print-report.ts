import { dirname } from 'node:path';
import { styleText } from 'node:util';
import { addDecimals, formatDecimal, parseDecimal } from '@tollgate/kernel/decimal';
import { formatUsd, parseUsd, sumMicros } from '@tollgate/kernel/money';
import { renderTable } from './render-table.ts';
import type { ReportedInvoice, ReportedPayout } from './report.ts';
import type { DemoResult } from './run-demo.ts';

/** For a person: what was used, each invoice, the payout with its fee, whether everything agrees, and what to open. */
export function printReport({ report, pdfFiles }: DemoResult, stream: NodeJS.WriteStream): string {
  const paint = (style: 'bold' | 'green' | 'red', text: string) => styleText(style, text, { stream });
  const { invoices, payout, reconcile, events, repeats_sent: repeats } = report;
  const verdict = reconcile.equal
    ? `${paint('green', '✓')} equal: events, counts, invoice lines, ledger and processor agree`
    : `${paint('red', '✗ not equal')}: \`tollgate reconcile\` names the rows that differ`;
  return `
  ${paint('bold', 'Used')}: ${count(events)} calls; ${count(repeats)} of them were sent twice and counted once

${usedTable(invoices)}

  ${paint('bold', 'Invoices')} for ${payout.period}

${invoiceTable(invoices)}

  ${paint('bold', 'Payout')} for ${payout.period}: ${payout.status}

${payoutTable(payout)}

  ${paint('bold', 'Reconciled')}   ${verdict}
  ${paint('bold', 'Printed')}      ${pdfFiles.length} PDF files in ${dirname(pdfFiles[0] ?? '')}
`;
}

function usedTable(invoices: readonly ReportedInvoice[]): string {
  const lines = invoices.flatMap((invoice) => invoice.lines);
  const byCharge = Map.groupBy(lines, ({ tool, charge }) => `${tool} ${charge}`);
  const rows = Array.from(byCharge.values(), (same) => [
    same[0]?.tool ?? '',
    same[0]?.charge.replace('_', ' ') ?? '',
    count(sumQuantities(same.map(({ quantity }) => quantity))),
    usd(
      same.map(({ amount_usd }) => amount_usd),
      6,
    ),
  ]);
  const sums = [
    '',
    '',
    '',
    usd(
      lines.map(({ amount_usd }) => amount_usd),
      6,
    ),
  ];
  return renderTable(['Tool', 'Charge', '>Quantity', '>USD'], [...rows, sums]);
}

function invoiceTable(invoices: readonly ReportedInvoice[]): string {
  const rows = invoices.map(({ consumer, charge_usd, total_usd, status }) => [
    consumer,
    usd([charge_usd], 6),
    usd([total_usd], 2),
    status,
  ]);
  const charged = usd(
    invoices.map(({ charge_usd }) => charge_usd),
    6,
  );
  const billed = usd(
    invoices.map(({ total_usd }) => total_usd),
    2,
  );
  return renderTable(['Consumer', '>Charged USD', '>Billed USD', 'Status'], [...rows, ['', charged, billed, '']]);
}

function payoutTable({ amount_usd, fee_usd, net_usd }: ReportedPayout): string {
  const rows = [
    ['Earned by the builder', usd([amount_usd], 2)],
    ['Platform fee: 0 % of the first 1,000 USD, then 4 %', usd([-fee_usd], 2)],
    ['Transferred', usd([net_usd], 2)],
  ];
  return renderTable(['', '>USD'], rows);
}

/** Added as the whole micro-dollars that they are. */
function usd(amounts: readonly number[], decimals: number): string {
  const sum = formatUsd(sumMicros(amounts.map((amount) => parseUsd(String(amount)))));
  return Number(sum).toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function sumQuantities(quantities: readonly string[]): number {
  const sum = quantities.map(parseDecimal).reduce(addDecimals);
  return Number(formatDecimal(sum));
}

function count(quantity: number): string {
  return quantity.toLocaleString('en-US');
}
