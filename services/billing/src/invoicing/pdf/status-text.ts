import { unreachable } from '@tollgate/kernel/unreachable';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { Invoice } from '../invoice.ts';
import { formatAmount } from './format-amount.ts';
import { formatDay } from './format-dates.ts';
import type { Issuer, Parties, Party } from '../party.ts';

export type StatusTone = 'plain' | 'good' | 'bad' | 'off';

/** The status box, the most prominent part of the invoice. */
export interface StatusText {
  readonly badge: string;
  readonly label: string;
  readonly amount: string;
  readonly note: string;
  readonly tone: StatusTone;
}

export function toStatusText({ status, totalCents, partPaidCents, dueAtMs, paidAtMs }: Invoice): StatusText {
  const cents = status === 'paid' ? totalCents : totalCents - partPaidCents;
  const amount = `USD ${formatAmount(centsToMicros(cents), 2)}`;
  const dueText = `Due on ${formatDay(dueAtMs)}`;
  switch (status) {
    case 'open':
      return { badge: 'Open', label: 'Amount due', amount, note: dueText, tone: 'plain' };
    case 'past_due':
      return { badge: 'Past due', label: 'Amount due', amount, note: `Was due on ${formatDay(dueAtMs)}`, tone: 'bad' };
    case 'paid':
      return { badge: 'Paid', label: 'Amount paid', amount, note: paidNote(paidAtMs), tone: 'good' };
    case 'carried':
      return { badge: 'Carried', label: 'Amount due', amount, note: 'Nothing is due', tone: 'off' };
    case 'uncollectible':
      return { badge: 'Uncollectible', label: 'Amount not collected', amount, note: dueText, tone: 'off' };
    case 'void':
      return { badge: 'Void', label: 'Amount of the void invoice', amount, note: 'Nothing is due', tone: 'off' };
    default:
      return unreachable(status);
  }
}

function paidNote(paidAtMs: number | null): string {
  return paidAtMs === null ? 'Paid in full' : `Paid on ${formatDay(paidAtMs)}`;
}

/** One of the two blocks that say who bills whom. */
export interface PartyText {
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export function issuerLines(issuer: Issuer): PartyText {
  return { label: 'Issued by', name: issuer.name, lines: linesOf(issuer) };
}

export interface Buyer {
  readonly email: string;
  readonly consumerId: string;
  readonly parties: Parties | undefined;
}

/** Without billing details the e-mail address stands for the name. */
export function buyerLines({ consumerId, email, parties }: Buyer): PartyText {
  const buyer = parties?.buyer ?? undefined;
  const account = [...(buyer ? [email] : []), consumerId];
  return { label: 'Billed to', name: buyer?.name ?? email, lines: [...(buyer ? linesOf(buyer) : []), ...account] };
}

function linesOf({ address, country, taxId }: Party): string[] {
  return [...address, ...(country === null ? [] : [country]), ...(taxId === null ? [] : [`Tax number ${taxId}`])];
}
