import { describe, expect, it } from '@jest/globals';
import { askLink, onboard, readAccount } from '../support/connect-builder.ts';
import { pressButton } from '../support/press-button.ts';
import { useBilling } from '../support/start-billing.ts';

const billing = useBilling();
const nothing = {
  processor_connected: false,
  processor_account_id: null,
  payout_enabled: false,
  pending_balance_usd: 0,
};

describe('GET /v1/billing/account: 200', () => {
  it('says that nothing is connected before anything is', async () => {
    const answer = await billing.send('GET', '/v1/billing/account', await billing.newAccount());
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual(nothing);
  });

  it('is not connected by a link alone, nor by one that was put off', async () => {
    const builder = await billing.newAccount();
    const { connect_url: url } = await askLink(billing, builder);
    expect(await readAccount(billing, builder)).toEqual(nothing);
    await pressButton({ send: billing.send, url, answer: 'later' });
    expect(await readAccount(billing, builder)).toEqual(nothing);
  });

  it('is connected and paid out once onboarding is complete', async () => {
    const connected = await onboard(billing, await billing.newAccount(), 'complete');
    expect(connected.processor_account_id).toMatch(/^acct_sandbox_\w{16}$/);
    expect(connected).toMatchObject({ processor_connected: true, payout_enabled: true, pending_balance_usd: 0 });
  });

  it('is connected and not paid out where the processor refuses', async () => {
    const refused = await onboard(billing, await billing.newAccount(), 'refuse');
    expect(refused).toMatchObject({ processor_connected: true, payout_enabled: false });
  });

  it('F51 follows a capability that is lost, and granted again; the account stays the same', async () => {
    const builder = await billing.newAccount();
    const first = await onboard(billing, builder, 'complete');
    const lost = await onboard(billing, builder, 'refuse');
    expect(lost).toEqual({ ...first, payout_enabled: false });
    expect(await onboard(billing, builder, 'complete')).toEqual(first);
  });

  it('shows what the ledger owes and has not paid out, down to the cent', async () => {
    const builder = await billing.newAccount();
    const [payable, platform] = await addLedgerAccounts(builder.accountId);
    await billing.owner.query(
      `with t as (insert into billing.ledger_transaction (business_key, occurred_at)
         values ('test:' || $1::text, '2026-11-21T00:00:00Z') returning transaction_id)
       insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
       select transaction_id, 1, $2::bigint, -1239999 from t union all select transaction_id, 2, $3::bigint, 1239999 from t`,
      [builder.accountId, payable, platform],
    );
    expect(await readAccount(billing, builder)).toMatchObject({ pending_balance_usd: 1.23 });
    expect(await readAccount(billing, await billing.newAccount())).toMatchObject({ pending_balance_usd: 0 });
  });

  async function addLedgerAccounts(ownerId: string): Promise<string[]> {
    const rows = await billing.owner.query<{ id: string }>(
      `insert into billing.ledger_account (kind, owner_id) values ('builder_payable', $1), ('cash', null)
       returning ledger_account_id::text as id`,
      [ownerId],
    );
    return rows.map(({ id }) => id);
  }
});

describe('GET /v1/billing/account: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', '/v1/billing/account')).toMatchObject({ status: 401 });
  });
});
