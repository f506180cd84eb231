import { micros, sumMicros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { decimalsOf, formatAmount } from '../invoicing/pdf/format-amount.ts';
import { formatDay, formatDays, formatPeriod } from '../invoicing/pdf/format-dates.ts';
import { usdText, nameTool, type LineText } from '../invoicing/pdf/invoice-texts.ts';
import { buyerLines, issuerLines } from '../invoicing/pdf/status-text.ts';
import type { PrintableInvoice } from '../invoicing/pdf/printable-invoice.ts';
import type { CreditedTool, RefundCause } from './refund.ts';
import type { WholeCreditNote } from './refunds.ts';

const reasons: Readonly<Record<RefundCause, string>> = {
  operator: 'Refunded',
  processor: 'Refunded',
  dispute: 'Taken back by a dispute',
  reinstated: 'A dispute was decided for us: its credit is undone',
};

/** A credit note as a print, in the layout of an invoice. */
export function toPrintableNote(whole: WholeCreditNote): PrintableInvoice {
  const { note, tools, parties } = whole;
  const { issuedAtMs, period } = note;
  const amountMicros = centsToMicros(note.amountCents);
  const roundingMicros = micros(amountMicros - sumMicros(tools.map(({ chargeMicros }) => chargeMicros)));
  const decimals = decimalsOf([...tools.map(({ chargeMicros }) => chargeMicros), roundingMicros]);
  const total = usdText('Total credit', note.amountCents);
  const texts = {
    title: `Credit note ${note.number}`,
    period: formatPeriod(period),
    id: note.id,
    parties: [...(parties ? [issuerLines(parties.issuer)] : []), buyerLines({ ...whole, consumerId: note.consumerId })],
    facts: factsOf(whole),
    status: statusOf(whole),
    lines: tools.map((tool) => toLineText(tool, { ...whole, decimals })),
    sums: [
      ...(roundingMicros === 0n ? [] : [{ label: 'For no line', amount: formatAmount(roundingMicros, decimals) }]),
      ...(parties ? [{ label: 'Tax', amount: formatAmount(0n, decimals) }] : []),
    ],
    total,
    payments: [],
    note: [parties?.issuer.taxNote, `This note credits invoice ${note.invoiceNumber}, which stays as it was issued.`]
      .filter((text) => text !== undefined)
      .join(' '),
  };
  return { texts, createdAtMs: issuedAtMs, changedAtMs: issuedAtMs };
}

function factsOf({ note }: WholeCreditNote) {
  const { period, issuedAtMs, invoiceNumber, invoiceId } = note;
  return [
    { label: 'Credits', text: `Invoice ${invoiceNumber}`, detail: invoiceId },
    { label: 'Period', text: formatPeriod(period), detail: formatDays(period) },
    { label: 'Issued', text: formatDay(issuedAtMs), detail: '' },
  ];
}

function statusOf({ note }: WholeCreditNote) {
  const { amount } = usdText('', note.amountCents);
  return { badge: 'Credit', label: 'Amount credited', amount, note: reasons[note.cause], tone: 'good' } as const;
}

interface LineContext extends Pick<WholeCreditNote, 'toolNames'> {
  readonly decimals: number;
}

function toLineText({ toolId, chargeMicros }: CreditedTool, { toolNames, decimals }: LineContext): LineText {
  return {
    ...(toolId === null ? { tool: 'All other tools', toolDetail: '' } : nameTool(toolId, toolNames)),
    charge: 'Credit',
    details: [],
    quantity: '',
    amount: formatAmount(chargeMicros, decimals),
  };
}
