import type { Schemas } from '@tollgate/sdk/edge';
import type { Stream } from '../charts/flow.tsx';
import { formatUsd } from '../patterns/format-usd.ts';

type Invoice = Schemas['UpcomingInvoice'];

interface Station {
  readonly name: string;
  readonly usd: number;
  readonly says: string;
}

/** The stations of an invoice’s money: its calls and its payments. Every sum is the invoice's. */
export function stationsOf(invoice: Invoice): Station[] {
  return [
    { name: 'Calls', usd: invoice.charge_usd, says: 'The sum of the lines.' },
    { name: 'Carried in', usd: invoice.carried_in_usd, says: 'Earlier invoices did not bill it.' },
    { name: 'Invoice', usd: invoice.total_usd, says: 'Billed, in whole cents.' },
    { name: 'Paid by balance', usd: invoice.balance_paid_usd, says: 'The balance pays first.' },
    { name: 'Paid by card', usd: invoice.card_paid_usd, says: 'The card pays the rest.' },
    { name: 'Carried out', usd: invoice.carried_out_usd, says: 'Less than a cent, or less than the minimum.' },
  ];
}

/** The streams between the stations, as far as there is money in them. */
export function streamsOf(invoice: Invoice): Stream[] {
  return [
    { from: 'Calls', to: 'Invoice', width: invoice.charge_usd },
    { from: 'Carried in', to: 'Invoice', width: invoice.carried_in_usd },
    { from: 'Invoice', to: 'Paid by balance', width: invoice.balance_paid_usd },
    { from: 'Invoice', to: 'Paid by card', width: invoice.card_paid_usd },
    { from: 'Invoice', to: 'Carried out', width: invoice.carried_out_usd },
  ].filter(({ width }) => width > 0);
}

/** The sums as the flow shows them. */
export function saidOf(invoice: Invoice): Record<string, string> {
  return Object.fromEntries(stationsOf(invoice).map(({ name, usd }) => [name, formatUsd(usd)]));
}
