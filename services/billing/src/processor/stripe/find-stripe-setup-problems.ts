import type { SetupProblem } from '../processor.ts';
import type { StripeDeps } from './stripe-deps.ts';

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
export function otherCurrencies(funds: readonly Funds[]): string[] {
  const others = funds.filter(({ amount, currency }) => currency !== 'usd' && amount !== 0);
  return [...new Set(others.map(({ currency }) => currency))].toSorted();
}

function otherCurrency(currencies: readonly string[]): SetupProblem {
  const message = `Stripe settles charges in ${currencies.join(', ')}, and builders are paid in US dollars, which Stripe takes from US dollars only. Add a bank account in US dollars for the platform's own payouts, so that charges settle in them. ${page}`;
  return { code: 'other_currency', message };
}
