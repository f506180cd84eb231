import type { AutoTopUp, Balance, TopUp } from '@tollgate/contracts/money/balance';
import type { BalanceRefund } from '@tollgate/contracts/money/balance-refunds';
import { eventually } from '@tollgate/testkit/eventually';
import type { Ask } from './ask.ts';
import { DemoError } from './demo-error.ts';
import type { Member } from './register.ts';

/** The money that comes onto a balance, in US dollars. */
interface Funding {
  readonly granted?: number;
  readonly toppedUp?: number;
  /** Automatic top-up goes on until the maximum of the month. */
  readonly automatic?: { readonly below_usd: number; readonly amount_usd: number; readonly monthly_max_usd: number };
  /** The calls must be covered by the balance. */
  readonly isPrepaid?: true;
  readonly wantsRestBack?: true;
}

export interface Funded extends Funding {
  readonly consumer: Member;
}

export interface FundDeps {
  readonly ask: Ask;
  readonly operatorToken: string;
}

/** The other consumers pay by card alone. */
const fundings = new Map<string, Funding>([
  ['consumer-0', { automatic: { below_usd: 20, amount_usd: 200, monthly_max_usd: 400 } }],
  ['consumer-1', { granted: 25, toppedUp: 400, isPrepaid: true, wantsRestBack: true }],
  ['consumer-2', { toppedUp: 100 }],
]);

/** Returns the consumers who have a balance. */
export function fundedOf(consumers: readonly Member[]): Funded[] {
  return consumers.flatMap((consumer) => {
    const funding = fundings.get(consumer.name);
    return funding ? [{ consumer, ...funding }] : [];
  });
}

/** The operator grants, the consumer tops up, and only then the balance bounds its calls. */
export async function fund(funded: Funded, { ask, operatorToken }: FundDeps): Promise<void> {
  const { consumer, granted, toppedUp, automatic, isPrepaid } = funded;
  const { token, accountId } = consumer;
  const byOperator = (method: string, path: string, body: object) =>
    ask(method, `/v1/operator/accounts/${accountId}/${path}`, { token: operatorToken, body });
  if (granted !== undefined) await byOperator('POST', 'credits', { amount_usd: granted, reason: 'welcome' });
  if (toppedUp !== undefined) await topUp(consumer, toppedUp, ask);
  if (automatic !== undefined) await ask('PUT', '/v1/billing/auto-top-up', { token, body: automatic });
  if (isPrepaid) await byOperator('PUT', 'credit-limit', { credit_limit_usd: 0 });
}

async function topUp({ token }: Member, amountUsd: number, ask: Ask): Promise<void> {
  const { body } = await ask<TopUp>('POST', '/v1/billing/top-ups', { token, body: { amount_usd: amountUsd } });
  if (body.status !== 'succeeded') throw new DemoError(`a top-up is ${body.status}`);
}

/** Balances are looked at twice a minute, and when the clock is moved. Holds are settled each second. */
const patience = { withinMs: 60_000 };

/** Waits until what is topped up by itself has reached its maximum of the month. */
export async function awaitAutomatic({ consumer, automatic }: Funded, ask: Ask): Promise<void> {
  if (automatic === undefined) return;
  const read = () => ask<AutoTopUp>('GET', '/v1/billing/auto-top-up', { token: consumer.token });
  await eventually(async () => (await read()).body.month_usd === automatic.monthly_max_usd, patience);
}

/**
 * Refunds the topped-up money that is left to the card. A hold is a little more than its call comes to, so the refund
 * waits until no hold is open.
 */
export async function refundRest({ consumer: { token }, wantsRestBack }: Funded, ask: Ask): Promise<void> {
  if (!wantsRestBack) return;
  const read = () => ask<Balance>('GET', '/v1/billing/balance', { token });
  await eventually(async () => (await read()).body.held_usd === 0, patience);
  const { body } = await ask<BalanceRefund>('POST', '/v1/billing/balance/refunds', { token, body: {} });
  if (body.status !== 'succeeded') throw new DemoError(`a refund of a balance is ${body.status}`);
}
