import type Stripe from 'stripe';
import type { ProcessorBalance, OwnPayout, OwnPayouts, SetupProblem } from '../processor.ts';
import { listStripe, toStripeRange } from './list-stripe.ts';
import type { StripeDeps } from './call-stripe.ts';

/**
 * Transactions that billing does not book: money that the platform pays in itself, reserves, and fees that concern no movement
 * and no dispute. Any other type that billing does not know makes cash and balance differ, so a person looks at it.
 */
const ownTypes = [
  'topup',
  'topup_reversal',
  'stripe_fee',
  'stripe_fx_fee',
  'tax_fee',
  'contribution',
  'fee_credit_funding',
  'payout_minimum_balance_hold',
  'payout_minimum_balance_release',
  'payment_network_reserve_hold',
  'payment_network_reserve_release',
  'reserve_hold',
  'reserve_release',
  'reserve_transaction',
  'reserved_funds',
] as const;

/** Reads the balance of the platform, first what is its own. The account at Stripe must serve this platform alone. */
export function createReadStripeBalance({ stripe, callStripe }: StripeDeps) {
  return async function readStripeBalance(): Promise<ProcessorBalance> {
    let ownCents = 0n;
    for (const type of ownTypes) ownCents += await sumOf(type);
    const balance = await callStripe({ endpoint: 'GET /v1/balance', send: () => stripe.balance.retrieve() });
    const funds = [...balance.available, ...balance.pending];
    return { heldCents: sumUsd(funds), ownCents, otherCurrencies: otherCurrencies(funds) };
  };

  async function sumOf(type: (typeof ownTypes)[number]): Promise<bigint> {
    let cents = 0n;
    const list = (page: Stripe.PaginationParams) => stripe.balanceTransactions.list({ ...page, type, currency: 'usd' });
    for await (const { net } of listStripe({ callStripe, endpoint: 'GET /v1/balance_transactions', list }))
      cents += BigInt(net);
    return cents;
  }
}

function sumUsd(funds: readonly { readonly amount: number; readonly currency: string }[]): bigint {
  return funds.reduce((sum, { amount, currency }) => (currency === 'usd' ? sum + BigInt(amount) : sum), 0n);
}

const path = '/v1/payouts';
const booked = ['balance_transaction', 'failure_balance_transaction'];

/** Payouts of the platform itself. Those of builders are of their own accounts, and listed for each account alone. */
export function createStripeOwnPayouts({ stripe, callStripe }: StripeDeps): OwnPayouts {
  return {
    async read(id) {
      const send = () => stripe.payouts.retrieve(id, { expand: booked });
      return fromStripePayout(await callStripe({ endpoint: `GET ${path}/{id}`, send }));
    },
    async *list(window) {
      const created = toStripeRange(window);
      const expand = booked.map((field) => `data.${field}`);
      const list = (page: Stripe.PaginationParams) => stripe.payouts.list({ ...page, created, expand });
      for await (const payout of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
        yield fromStripePayout(payout);
    },
  };
}

/** A payout that failed or was canceled has a second transaction, which brings its money back. */
function fromStripePayout(payout: Stripe.Payout): OwnPayout {
  const moved = [payout.balance_transaction, payout.failure_balance_transaction].map(toMoved);
  return {
    objectId: payout.id,
    amountCents: BigInt(payout.amount),
    currency: payout.currency,
    takenCents: moved.reduce((sum, { amount }) => sum - BigInt(amount), 0n),
    feeCents: moved.reduce((sum, { fee }) => sum + BigInt(fee), 0n),
    createdAtMs: payout.created * 1_000,
  };
}

function toMoved(transaction: string | Stripe.BalanceTransaction | null): { amount: number; fee: number } {
  return transaction === null || typeof transaction === 'string' ? { amount: 0, fee: 0 } : transaction;
}

const page = 'docs/stripe.md, step 5, has the steps.';
const automaticPayouts: SetupProblem = {
  code: 'automatic_payouts',
  message: `Stripe automatically pays the whole balance of the platform out to its bank, and transfers to builders are paid from that balance a week after each month. Set the payouts to manual, or a minimum balance in US dollars (Dashboard, Settings, Payouts). ${page}`,
};

/**
 * Reads whether the platform's account keeps what builders are paid from. See Stripe's pages
 * `api/balance-settings/object` and `payouts/minimum-balances-for-automatic-payouts`.
 */
export function createFindStripeSetupProblems({ stripe, callStripe }: StripeDeps) {
  return async function findStripeSetupProblems(): Promise<SetupProblem[]> {
    const settings = await callStripe({
      endpoint: 'GET /v1/balance_settings',
      send: () => stripe.balanceSettings.retrieve(),
    });
    const balance = await callStripe({ endpoint: 'GET /v1/balance', send: () => stripe.balance.retrieve() });
    const { schedule, minimum_balance_by_currency: minimum } = settings.payments.payouts ?? {};
    const isKept = schedule?.interval === 'manual' || (minimum?.['usd'] ?? 0) > 0;
    const others = otherCurrencies([...balance.available, ...balance.pending]);
    return [...(isKept ? [] : [automaticPayouts]), ...(others.length > 0 ? [otherCurrency(others)] : [])];
  };
}

interface Funds {
  readonly amount: number;
  readonly currency: string;
}

/** The other currencies than US dollars in which the platform holds or owes money. */
function otherCurrencies(funds: readonly Funds[]): string[] {
  const others = funds.filter(({ amount, currency }) => currency !== 'usd' && amount !== 0);
  return [...new Set(others.map(({ currency }) => currency))].toSorted();
}

function otherCurrency(currencies: readonly string[]): SetupProblem {
  const message = `Stripe settles charges in ${currencies.join(', ')}, and builders are paid in US dollars, which Stripe takes from US dollars only. Add a bank account in US dollars for the platform's own payouts, so that charges settle in them. ${page}`;
  return { code: 'other_currency', message };
}
