import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { pressPage } from '@tollgate/testkit/press-button';
import { registerAccount, signIn } from '../register-cast.ts';
import { operatorOf } from './operator-of.ts';

const operatorToken = randomUUID();
const patience = { withinMs: 20_000 };
const slug = 'for-half-a-dollar';

interface Answer {
  readonly status?: string;
  readonly code?: string;
  readonly detail?: string;
}

describe('a consumer that owes, with UNSECURED_ALLOWANCE_USD and PAST_DUE_CALLS=refused', () => {
  const it = itWith(async (undo) => {
    const settings = { UNSECURED_ALLOWANCE_USD: '2', PAST_DUE_CALLS: 'refused' };
    const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2023-11-16T18:15:00Z', ...settings };
    const product = await openProduct({ name: 'paying-late', env }, undo);
    return { client: product.client, operator: operatorOf(product, operatorToken) };
  });

  it('F234 stops at its allowance and when it is past due, and goes on once its card has paid', async (opened) => {
    const { client, operator } = opened;
    const builder = await registerAccount(client, 'builder');
    const tool = { slug, name: slug, price: { per_call_usd: '0.5' } };
    await client('POST', '/v1/tools', { token: builder, body: tool });
    let token = await registerAccount(client, 'consumer');
    const record = async (): Promise<Answer> =>
      (await client<Answer>('POST', '/v1/events', { token, body: { tool_id: slug } })).body;

    for (let call = 0; call < 4; call += 1) expect(await record()).toMatchObject({ status: 'recorded' });
    expect(await record()).toMatchObject({ code: 'payment_required', limit: { scope: 'allowance', cap_usd: 2 } });

    await operator.move({ now: '2023-12-03T12:00:00Z' });
    token = await signIn(client, 'consumer');
    expect(await record()).toMatchObject({ code: 'payment_required', limit: { scope: 'allowance', cap_usd: 0 } });

    await operator.move({ now: '2023-12-20T12:00:00Z' });
    token = await signIn(client, 'consumer');
    await eventually(async () => (await record()).detail?.includes('past due') === true, patience);
    const events = [{ tool_id: slug }, { tool_id: slug }];
    const batch = await client('POST', '/v1/events/batch', { token, body: { events } });
    expect(batch.body).toMatchObject({ rejected: 2, results: [{ error: { code: 'payment_required' } }, {}] });

    const back = { return_url: 'https://example.com/back' };
    const setup = await client<{ setup_url: string }>('POST', '/v1/billing/payment-method', { token, body: back });
    await pressPage(client, setup.body.setup_url, { card: 'visa' });
    await eventually(async () => (await record()).status === 'recorded', patience);
    for (let call = 0; call < 5; call += 1) expect(await record()).toMatchObject({ status: 'recorded' });
    expect(await operator.ask('GET', '/v1/operator/reconcile?period=2023-11')).toMatchObject({ equal: true });
  });
});
