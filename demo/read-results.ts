import { setTimeout as sleep } from 'node:timers/promises';
import type { Invoice, InvoiceList } from '@tollgate/contracts/invoices';
import type { Payout, PayoutList } from '@tollgate/contracts/payouts';
import type { Ask } from './ask.ts';
import { DemoError } from './demo-error.ts';
import type { Member } from './register.ts';

interface Settled {
  readonly period: string;
  readonly status: string;
}

/** The consumer's invoice of the period, as soon as it is paid. */
export function readInvoice({ token }: Member, ask: Ask, period: string): Promise<Invoice> {
  const list = async () => (await ask<InvoiceList>('GET', '/v1/billing/invoices', { token })).body.invoices;
  return whenPaid('invoice', period, list);
}

/** The builder's payout of the period, as soon as it is paid. */
export function readPayout({ token }: Member, ask: Ask, period: string): Promise<Payout> {
  const list = async () => (await ask<PayoutList>('GET', '/v1/billing/payouts', { token })).body.payouts;
  return whenPaid('payout', period, list);
}

const looksMax = 50;
const lookEveryMs = 200;

/** What is not paid after ten seconds is taken as it is: the report shows its status. */
async function whenPaid<T extends Settled>(
  what: string,
  period: string,
  list: () => Promise<readonly T[]>,
): Promise<T> {
  for (let look = 1; ; look += 1) {
    const found = (await list()).find((candidate) => candidate.period === period);
    if (!found) throw new DemoError(`there is no ${what} for ${period}`);
    if (found.status === 'paid' || look === looksMax) return found;
    await sleep(lookEveryMs);
  }
}
