import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { pressPage } from '@tollgate/testkit/press-button';
import { registerAccount, signIn } from '../register-cast.ts';
import { operatorOf } from './operator-of.ts';

const operatorToken = randomUUID();
const patience = { withinMs: 10_000 };
const back = { return_url: 'https://example.com/back' };

interface Invoices {
  readonly invoices: readonly { readonly id: string }[];
}

describe('a month of 2.3 million dollars', () => {
  const it = itWith(async (undo) => {
    const env = {
      OPERATOR_TOKEN: operatorToken,
      SANDBOX_CLOCK_START: '2023-11-16T18:15:00Z',
      PRICE_MAX_USD: '500000',
      INVOICE_COLLECT_MAX_USD: '3000000',
    };
    const product = await openProduct({ name: 'large-invoice', env }, undo);
    return { client: product.client, operator: operatorOf(product, operatorToken) };
  });

  it('F213 is charged in three parts, printed, reconciled, and its builder is paid', async ({ client, operator }) => {
    const [builder, consumer] = [await registerAccount(client, 'builder'), await registerAccount(client, 'consumer')];
    const post = async <Body>(token: string, path: string, body: object) =>
      (await client<Body>('POST', path, { token, body })).body;
    const slug = 'a-model-of-ones-own';
    await post(builder, '/v1/tools', { slug, name: slug, price: { per_call_usd: '460000' } });
    const link = await post<{ connect_url: string }>(builder, '/v1/billing/connect', back);
    await pressPage(client, link.connect_url);
    const setup = await post<{ setup_url: string }>(consumer, '/v1/billing/payment-method', back);
    await pressPage(client, setup.setup_url, { card: 'visa' });
    const hasCard = async () => (await client('GET', '/v1/billing/payment-method', { token: consumer })).status === 200;
    await eventually(hasCard, patience);
    for (let call = 0; call < 5; call += 1) await post(consumer, '/v1/events', { tool_id: slug });

    await operator.move({ now: '2023-12-03T12:00:00Z' });
    const paths = '/v1/billing/invoices';
    const token = await signIn(client, 'consumer');
    const [invoice] = (await client<Invoices>('GET', paths, { token })).body.invoices;
    const money = { total_usd: 2_300_000, card_paid_usd: 2_300_000, balance_paid_usd: 0 };
    expect(invoice).toMatchObject({ status: 'paid', ...money });
    const { attempts } = await operator.ask<{ attempts: object[] }>(
      'GET',
      `/v1/operator/invoices/${invoice?.id}/attempts`,
    );
    const amounts = [999_999.99, 999_999.99, 300_000.02];
    expect(attempts).toMatchObject(amounts.map((amount_usd) => ({ amount_usd, status: 'succeeded' })));
    const printed = await client('GET', `${paths}/${invoice?.id}.pdf`, { token });
    expect(printed).toMatchObject({ status: 200 });

    await operator.move({ now: '2023-12-09T12:00:00Z' });
    const payouts = await client<{ payouts: object[] }>('GET', '/v1/billing/payouts', {
      token: await signIn(client, 'builder'),
    });
    expect(payouts.body.payouts).toContainEqual(expect.objectContaining({ status: 'paid', net_usd: 2_208_040 }));
    expect(await operator.ask('GET', '/v1/operator/reconcile?period=2023-11')).toMatchObject({ equal: true });
  });
});
