import { setTimeout as sleep } from 'node:timers/promises';
import type { Balance, CreditList, TopUpList } from '@tollgate/contracts/money/balance';
import type { BalanceRefundList } from '@tollgate/contracts/money/balance-refunds';
import type { Invoice, InvoiceList } from '@tollgate/contracts/money/invoices';
import type { Payout, PayoutList } from '@tollgate/contracts/money/payouts';
import type { Reconciliation } from '@tollgate/contracts/operator/reconciliation';
import { systemClock } from '@tollgate/kernel/clock';
import type { Ask } from './ask.ts';
import { DemoError } from './demo-error.ts';
import type { Member } from './register.ts';

/** Returns the consumer's invoice of the period as soon as it is paid. */
export function readInvoice({ token }: Member, ask: Ask, period: string): Promise<Invoice> {
  const read = async () => {
    const { invoices } = (await ask<InvoiceList>('GET', '/v1/billing/invoices', { token })).body;
    return findOf(period, invoices);
  };
  return lookUntil(isPaid, read);
}

export interface BalanceMovements {
  readonly balance: Balance;
  readonly topUps: TopUpList;
  readonly credits: CreditList;
  readonly refunds: BalanceRefundList;
  /** That of the period. */
  readonly invoice: Invoice;
}

export interface BalanceDeps {
  readonly ask: Ask;
  readonly operatorToken: string;
  readonly period: string;
}

/** Returns what came onto the consumer's balance, what it paid, what went back to its card, and what is left. */
export async function readBalance(
  member: Member,
  { ask, operatorToken, period }: BalanceDeps,
): Promise<BalanceMovements> {
  const { token, accountId } = member;
  const [balance, topUps, refunds, credits] = await Promise.all([
    ask<Balance>('GET', '/v1/billing/balance', { token }),
    ask<TopUpList>('GET', '/v1/billing/top-ups', { token }),
    ask<BalanceRefundList>('GET', '/v1/billing/balance/refunds', { token }),
    ask<CreditList>('GET', `/v1/operator/accounts/${accountId}/credits`, { token: operatorToken }),
  ]);
  const invoice = await readInvoice(member, ask, period);
  return { balance: balance.body, topUps: topUps.body, credits: credits.body, refunds: refunds.body, invoice };
}

/** Returns the builder's payout of the period as soon as it is paid. */
export function readPayout({ token }: Member, ask: Ask, period: string): Promise<Payout> {
  const read = async () => {
    const { payouts } = (await ask<PayoutList>('GET', '/v1/billing/payouts', { token })).body;
    return findOf(period, payouts);
  };
  return lookUntil(isPaid, read);
}

/** Returns the reconciliation as soon as everything agrees. Work in progress may differ for a moment. */
export function readReconciliation(operatorToken: string, ask: Ask, period: string): Promise<Reconciliation> {
  const path = `/v1/operator/reconcile?period=${period}`;
  const read = async () => (await ask<Reconciliation>('GET', path, { token: operatorToken })).body;
  return lookUntil(({ equal }) => equal, read);
}

function findOf<Thing extends { readonly period: string }>(period: string, things: readonly Thing[]): Thing {
  const found = things.find((thing) => thing.period === period);
  if (!found) throw new DemoError(`there is nothing for ${period}, only ${JSON.stringify(things)}`);
  return found;
}

function isPaid({ status }: { readonly status: string }): boolean {
  return status === 'paid';
}

const patienceMs = 5_000;
const lookEveryMs = 200;

/** Reads until `isSo` holds, for five seconds at most. The last reading is returned in any case; the report shows it. */
async function lookUntil<Thing>(isSo: (thing: Thing) => boolean, read: () => Promise<Thing>): Promise<Thing> {
  const untilMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const thing = await read();
    if (isSo(thing) || systemClock.monotonicMs() >= untilMs) return thing;
    await sleep(lookEveryMs);
  }
}
