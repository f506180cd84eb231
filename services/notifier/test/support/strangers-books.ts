import { Webhook } from 'standardwebhooks';
import type { Received } from './receiver.ts';

/** A webhook as a stranger reads it. Amounts are US dollars, up to six decimals. */
interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };
}

/** Balances of a ledger, in micro-dollars. */
export interface Balances {
  readonly receivable: number;
  readonly consumer_balance: number;
  /** Before the fees of the processor. */
  readonly cash: number;
  /** Builders and the platform have this from the charges, together. */
  readonly earned: number;
}

const kinds = ['invoice', 'payout', 'top_up', 'credit', 'credit_note'] as const;
const kindOf: Readonly<Record<string, (typeof kinds)[number]>> = {
  'balance.topped_up': 'top_up',
  'credit_note.issued': 'credit_note',
};

/**
 * The books of somebody who knows the webhooks and `standardwebhooks` alone. Deliveries come in any order and some come twice,
 * so of each object the newest version counts.
 */
export function strangersBooks(secret: string, received: readonly Received[]): Balances {
  const webhook = new Webhook(secret);
  const newest = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, Told['data']>()]));
  for (const { body, headers } of received) {
    const { type, data } = webhook.verify(body, headers) as Told;
    const objects = newest[kindOf[type] ?? type.split('.')[0] ?? ''];
    if (objects !== undefined && (objects.get(data.id)?.version ?? -1) <= data.version) objects.set(data.id, data);
  }
  const all = (kind: (typeof kinds)[number]) => [...(newest[kind]?.values() ?? [])];
  const invoices = all('invoice');
  const charged = sum(invoices, 'charge_usd');
  const byCard = sum(invoices, 'card_paid_usd');
  const byBalance = sum(invoices, 'balance_paid_usd');
  const toppedUp = sum(all('top_up'), 'amount_usd');
  const granted = sum(
    all('credit').filter(({ top_up_id: topUp }) => topUp === null),
    'amount_usd',
  );
  const refunded = sum(all('credit_note'), 'amount_usd');
  const paidOut = sum(
    all('payout').filter(({ status }) => status === 'paid'),
    'net_usd',
  );
  return {
    receivable: charged - byCard - byBalance,
    consumer_balance: toppedUp + granted - byBalance,
    cash: byCard + toppedUp - refunded - paidOut,
    earned: charged - refunded - paidOut,
  };
}

function sum(objects: readonly Told['data'][], field: string): number {
  return objects.reduce((total, object) => total + microsOf(object[field]), 0);
}

function microsOf(usd: unknown): number {
  return Math.round(Number(usd) * 1_000_000);
}
