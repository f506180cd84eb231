import { beforeEach, describe, expect, it } from '@jest/globals';
import { dataOf, takeTold, typesOf, withoutVersion } from '@tollgate/testkit/take-told';
import { ada } from '../support/cast.ts';
import { askLink, onboard, readAccount } from '../support/connect-builder.ts';
import { pressButton } from '@tollgate/testkit/press-button';
import { type TestAccount, useBilling } from '../support/start-billing.ts';
import { useCollection } from '../support/use-collection.ts';

const billing = useBilling();
let builder: TestAccount;

beforeEach(async () => {
  builder = await billing.newAccount();
  await takeTold(billing.owner, 'billing');
});

/** All that was told since, each to the builder. */
async function take() {
  const told = await takeTold(billing.owner, 'billing');
  expect(told.filter(({ account_id: to }) => to !== builder.accountId)).toEqual([]);
  return told;
}

const withoutAccount = (data: Record<string, unknown>) => {
  const { account_id: accountId, ...others } = data;
  expect(accountId).toBe(builder.accountId);
  return withoutVersion(others);
};

describe('F360 the changes of a payout account', () => {
  async function shown(): Promise<object> {
    const { pending_balance_usd: _, ...account } = await readAccount(billing, builder);
    return account;
  }

  it('F360 are told when it is connected, changes and is disconnected, each as the API shows it', async () => {
    const { connect_url: url } = await askLink(billing, builder);
    await pressButton({ send: billing.send, url, answer: 'later' });
    expect(await take()).toEqual([]);
    await onboard(billing, builder, 'complete');
    const connected = await take();
    expect(typesOf(connected)).toEqual(['payout_account.connected']);
    expect(withoutAccount(dataOf(connected, 'payout_account.connected'))).toEqual(await shown());

    await onboard(billing, builder, 'refuse');
    const refused = await take();
    expect(typesOf(refused)).toEqual(['payout_account.updated']);
    expect(dataOf(refused, 'payout_account.updated')).toMatchObject({ disabled_reason: 'rejected.other' });
    expect(withoutAccount(dataOf(refused, 'payout_account.updated'))).toEqual(await shown());

    for (const _time of [1, 2]) await billing.send('DELETE', '/v1/billing/connect', builder);
    const disconnected = await take();
    expect(typesOf(disconnected)).toEqual(['payout_account.disconnected']);
    expect(withoutAccount(dataOf(disconnected, 'payout_account.disconnected'))).toEqual(await shown());

    await askLink(billing, builder);
    expect(typesOf(await take())).toEqual(['payout_account.connected']);
  });

  it('F360 are not told when the processor says again what was known', async () => {
    await onboard(billing, builder, 'complete');
    await take();
    await billing.owner.query(
      'update billing.connected_account set payouts_enabled = payouts_enabled where account_id = $1',
      [builder.accountId],
    );
    expect(await take()).toEqual([]);
  });

  it('F360 are told of one that is gone at the processor', async () => {
    await onboard(billing, builder, 'complete');
    await take();
    await billing.owner.query(
      'update billing.connected_account set details_submitted = false, payouts_enabled = false where account_id = $1',
      [builder.accountId],
    );
    const gone = await take();
    expect(typesOf(gone)).toEqual(['payout_account.disconnected']);
    expect(withoutAccount(dataOf(gone, 'payout_account.disconnected'))).toEqual(await shown());
  });
});

describe('F360 the changes of tools', () => {
  const read = async (path: string) => (await billing.send<object>('GET', path, builder)).body;

  it('F360 are told when a tool is registered, gets a price and is archived, as the API shows it', async () => {
    const slug = await billing.newTool(builder);
    const created = await take();
    expect(typesOf(created)).toEqual(['tool.created']);
    expect(withoutAccount(dataOf(created, 'tool.created'))).toEqual(await read(`/v1/tools/${slug}`));

    const body = { price: { per_call_usd: '0.02' }, effective_from: '2099-01-01T00:00:00Z' };
    const { body: version } = await billing.send<object>('POST', `/v1/tools/${slug}/prices`, { ...builder, body });
    const priced = await take();
    expect(typesOf(priced)).toEqual(['tool.price_added']);
    expect(withoutAccount(dataOf(priced, 'tool.price_added'))).toEqual({ slug, ...version });

    await billing.send('PATCH', `/v1/tools/${slug}`, { ...builder, body: { name: 'Another name' } });
    expect(await take()).toEqual([]);
    for (const _time of [1, 2]) await billing.send('POST', `/v1/tools/${slug}/archive`, builder);
    const archived = await take();
    expect(typesOf(archived)).toEqual(['tool.archived']);
    expect(withoutAccount(dataOf(archived, 'tool.archived'))).toEqual(await read(`/v1/tools/${slug}`));
  });

  it('F360 are told without a price that is too large for a webhook, and not where they were refused', async () => {
    const tiers = Array.from({ length: 100 }, (_, place) => {
      return { up_to: place === 99 ? null : String(place + 1), unit_price_usd: '0.123456' };
    });
    const charges = ['a', 'b', 'c'].map((key) => {
      return { metric: { type: 'metadata_sum', key }, model: { type: 'graduated', tiers } };
    });
    const slug = await billing.newTool(builder, { price: { currency: 'usd', charges } });
    expect(dataOf(await take(), 'tool.created')).toMatchObject({ slug, price: null });
    await expect(billing.newTool(builder, { slug })).rejects.toThrow(/slug_taken/);
    expect(await take()).toEqual([]);
  });
});

describe('F360 a refund of a balance', () => {
  const fixture = useCollection({
    cards: { [ada]: 'visa' },
    async last({ topUp, clock }) {
      await topUp(ada, 500n);
      clock.advance(60_000);
      await topUp(ada, 800n);
    },
  });

  it('F360 is told when money of it has gone back to a card, by what has gone back until then', async () => {
    await takeTold(fixture.owner, 'billing');
    await fixture.failures.add({ on: 'refund', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
    expect(await fixture.refundBalance(ada)).toBe('1300: 800 pending, 500 succeeded');
    const first = await takeTold(fixture.owner, 'billing');
    expect(typesOf(first)).toEqual(['balance.refunded']);
    expect(dataOf(first, 'balance.refunded')).toMatchObject({
      account_id: ada,
      amount_usd: 13,
      refunded_usd: 5,
      status: 'pending',
      parts: [
        { amount_usd: 8, status: 'pending' },
        { amount_usd: 5, status: 'succeeded' },
      ],
    });
    fixture.clock.advance(120_000);
    await fixture.runDue();
    const last = await takeTold(fixture.owner, 'billing');
    expect(typesOf(last)).toEqual(['balance.refunded']);
    expect(dataOf(last, 'balance.refunded')).toMatchObject({ refunded_usd: 13, status: 'succeeded' });
  });

  it('F360 is not told where the processor refuses it', async () => {
    await takeTold(fixture.owner, 'billing');
    await fixture.failures.add({ on: 'refund', failure: 'decline', times: 2, subjectId: undefined });
    expect(await fixture.refundBalance(ada)).toBe('1300: 800 failed declined, 500 failed declined');
    expect(await takeTold(fixture.owner, 'billing')).toEqual([]);
  });
});
