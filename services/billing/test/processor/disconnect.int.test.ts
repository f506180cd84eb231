import { describe, expect, it } from '@jest/globals';
import { onboard, readAccount } from '../support/connect-builder.ts';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();

describe('DELETE /v1/billing/connect: 204', () => {
  it('disconnects, and again; at the processor the account stays', async () => {
    const builder = await billing.newAccount();
    const connected = await onboard(billing, builder, 'complete');
    for (const time of [1, 2]) {
      const answer = await billing.send('DELETE', '/v1/billing/connect', builder);
      expect([time, answer.status, answer.text]).toEqual([time, 204, '']);
    }
    expect(await readAccount(billing, builder)).toMatchObject({
      processor_connected: false,
      processor_account_id: null,
      payout_enabled: false,
    });
    const kept = await billing.owner.query('select payouts_enabled from sandbox.account where account_id = $1', [
      connected.processor_account_id,
    ]);
    expect(kept).toEqual([{ payouts_enabled: true }]);
  });

  it('is fine where nothing was connected', async () => {
    const answer = await billing.send('DELETE', '/v1/billing/connect', await billing.newAccount());
    expect(answer.status).toBe(204);
  });

  it("leaves another account's connection alone", async () => {
    const builder = await billing.newAccount();
    const connected = await onboard(billing, builder, 'complete');
    await billing.send('DELETE', '/v1/billing/connect', await billing.newAccount());
    expect(await readAccount(billing, builder)).toEqual(connected);
  });
});

describe('DELETE /v1/billing/connect: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('DELETE', '/v1/billing/connect')).toMatchObject({ status: 401 });
  });
});
